import { expect, it } from 'vitest'
import { previewWithoutTitle, withoutMarks } from './preview-without-title.ts'

it.each([
  ['October in figures', 'October in figures Bookings rose by a tenth.', 'Bookings rose by a tenth.'],
  ['Board', 'board', ''],
  ['Board', 'Boarding takes ten minutes.', 'Boarding takes ten minutes.'],
  ['Boats', 'There are four boats.', 'There are four boats.'],
  ['', 'Nothing but text.', 'Nothing but text.'],
  ['Run `make reindex` first.', 'Run make reindex first.', ''],
  ['The fare for bic…', 'The fare for bicycles is 4.50.', '…ycles is 4.50.'],
  ['The fare for bicycles is…', 'The fare for bicycles…', ''],
])('the excerpt of “%s” doesn’t repeat its title', (title, preview, shown) => {
  expect(previewWithoutTitle({ title, preview })).toBe(shown)
})

it.each([
  ['Run `make reindex` **first**.', 'Run make reindex first.'],
  ['`__init__.py` stays empty', '__init__.py stays empty'],
  ['src/**/*.ts and test/**/*.ts', 'src/**/*.ts and test/**/*.ts'],
  ['2 ** 3 is 8', '2 ** 3 is 8'],
  ['```', '```'],
])('the title “%s” loses only marks around words', (title, shown) => {
  expect(withoutMarks(title)).toBe(shown)
})
