import { expect, it } from 'vitest'
import { firstWords } from './first-words.ts'

it('begins with the first line, without marks of Markdown', () => {
  expect(firstWords('Route 7 sails at noon.')).toBe('Route 7 sails at noon.')
  expect(firstWords('\n## Fares\n\nBicycles cost 4.50.')).toBe('Fares')
  expect(firstWords('- Run `make reindex` **twice**')).toBe('Run make reindex twice')
  expect(firstWords('Keep snake_case_names and 2 * 3 * 4')).toBe('Keep snake_case_names and 2 * 3 * 4')
})

it('ends with a whole word', () => {
  const title = firstWords(`${'harbour '.repeat(11)}master, who answers mail within a day`)
  expect(title).toBe(`${'harbour '.repeat(11).trim()}…`)
  expect(firstWords('x'.repeat(200))).toBe(`${'x'.repeat(45)}…`)
})
