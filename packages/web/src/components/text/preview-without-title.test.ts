import { expect, it } from 'vitest'
import { previewWithoutTitle } from './preview-without-title.ts'

it.each([
  ['October in figures', 'October in figures Bookings rose by a tenth.', 'Bookings rose by a tenth.'],
  ['Board', 'board', ''],
  ['Board', 'Boarding takes ten minutes.', 'Boarding takes ten minutes.'],
  ['Boats', 'There are four boats.', 'There are four boats.'],
  ['', 'Nothing but text.', 'Nothing but text.'],
  ['Run `make reindex` first.', 'Run make reindex first.', ''],
  ['The fare for bic…', 'The fare for bicycles is 4.50.', '…ycles is 4.50.'],
])('the excerpt of “%s” doesn’t repeat its title', (title, preview, shown) => {
  expect(previewWithoutTitle({ title, preview })).toBe(shown)
})
