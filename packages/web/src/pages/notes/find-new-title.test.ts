import { expect, it } from 'vitest'
import { findNewTitle } from './find-new-title.ts'

it.each(['Double  blank title ', 'Two\nlines\t', ' '])('keeps a title that nobody changed: %j', (title) => {
  expect(findNewTitle(title, title)).toBeUndefined()
})

it('tidies the spaces of a title that was typed', () => {
  expect(findNewTitle('  Ferry   times ', 'Double  blank title ')).toBe('Ferry times')
})

it('saves neither an empty title nor one that differs only by spaces at its ends', () => {
  expect(findNewTitle('  ', 'Ferries')).toBeUndefined()
  expect(findNewTitle('Ferries ', 'Ferries')).toBeUndefined()
})
