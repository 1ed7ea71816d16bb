import { expect, it } from 'vitest'
import { joinLead, leadOf, retitle } from './note-lead.ts'

const front = '---\nstatus: draft\n---\n'

it.each([
  ['front matter', `${front}Text`, front],
  ['the title as a heading', '# Board\n\nText', '# Board\n\n'],
  ['a title in another case, with marks', '#  *BOARD* \nText', '#  *BOARD* \n'],
  ['both', `${front}\n# Board\n\nText`, `${front}\n# Board\n\n`],
  ['a text that is only the title', '# Board', '# Board'],
  ['Windows line ends', '---\r\na: 1\r\n---\r\n# Board\r\nText', '---\r\na: 1\r\n---\r\n# Board\r\n'],
])('the editor doesn’t show %s', (_, content, lead) => {
  expect(leadOf({ content, title: 'Board' })).toBe(lead)
})

it.each([
  ['another heading', '# Boards\n\nText'],
  ['a heading of another level', '## Board\n\nText'],
  ['a heading after text', 'Text\n\n# Board'],
  ['a rule', '---\n\nText'],
  ['text between two rules', '---\nNothing is a property here\n---\n'],
  ['front matter that never ends', '---\nstatus: draft\n'],
])('the editor shows %s', (_, content) => {
  expect(leadOf({ content, title: 'Board' })).toBe('')
})

it('a text typed below a hidden title starts a new paragraph', () => {
  expect(joinLead('# Board', 'x')).toEqual({ lead: '# Board\n\n', content: '# Board\n\nx' })
  expect(joinLead('# Board\n', 'x')).toEqual({ lead: '# Board\n', content: '# Board\nx' })
  expect(joinLead('# Board', '')).toEqual({ lead: '# Board', content: '# Board' })
})

it('a renamed note also gets its new title in the heading at its top', () => {
  expect(retitle(`${front}# Board\n\nText`, 'board', 'Pier board')).toBe(`${front}# Pier board\n\nText`)
  expect(retitle('# Other\n\nText', 'Board', 'Pier board')).toBe('# Other\n\nText')
})
