import { expect, it } from 'vitest'
import { clip, cutAt } from './fit-text.ts'

it('never cuts a character in two', () => {
  expect(cutAt('ab🌱🌱', 3)).toBe('ab')
  expect(cutAt('ab🌱🌱', 4)).toBe('ab🌱')
  expect(cutAt('ab🌱', 4)).toBe('ab🌱')
  for (let maxChars = 3; maxChars < 12; maxChars++) expect(clip('🌱'.repeat(20), maxChars).isWellFormed()).toBe(true)
})
