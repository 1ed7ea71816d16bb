import { expect, it } from 'vitest'
import { fromFirstMatch } from './mark-words.tsx'

const long = 'Jonas is on call in even weeks and Bo in odd weeks. Whoever is on call carries the harbour phone.'

it.each([
  ['harbour', '… call carries the harbour phone.'],
  ['HARBOUR phone', '… call carries the harbour phone.'],
  ['jonas harbour', long],
  // By meaning only.
  ['ships', long],
  ['in', long],
  ['', long],
])('a long title found by %j begins shortly before the word', (query, shown) => {
  expect(fromFirstMatch(long, query)).toBe(shown)
})

it('a match after a word without blanks is where the title begins', () => {
  expect(fromFirstMatch(`${'x'.repeat(80)}-harbour`, 'harbour')).toBe('… harbour')
})
