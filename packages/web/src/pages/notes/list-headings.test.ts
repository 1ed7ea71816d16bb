import { expect, it } from 'vitest'
import { listHeadings } from './list-headings.ts'

it('lists the headings of a text with their levels and places', () => {
  const text = '# One #\n\ntext\n\n## Two **bold** and [[A|b]]\n\n```\n# code\n```\n\nThree\n---\n#\n'
  expect(listHeadings(text).map(({ level, text: shown }) => [level, shown])).toEqual([
    [1, 'One'],
    [2, 'Two bold and b'],
    [2, 'Three'],
  ])
  expect(listHeadings(text)[1]?.from).toBe(text.indexOf('## Two'))
})
