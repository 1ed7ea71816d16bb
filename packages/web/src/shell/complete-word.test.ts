import { expect, it } from 'vitest'
import { completeWord } from './complete-word.ts'

const names = ['Ingrid Solheim', 'harbour', 'Harbour office', 'north pier']

it.each([
  ['harb', 'harbour'],
  ['the harb', 'the harbour'],
  ['sol', 'Solheim'],
])('completes “%s” to “%s”', (query, whole) => {
  expect(completeWord(query, names)).toBe(whole)
})

it.each(['harbour', 'zeppelin', 'north pier!', ''])('leaves “%s” as it is', (query) => {
  expect(completeWord(query, names)).toBeUndefined()
})
