import { expect, it } from 'vitest'
import { readNumber } from './read-number.ts'

it.each([
  ['0', 0],
  ['0.4', 0.4],
  ['100', 100],
])('reads %s', (value, number) => {
  expect(readNumber('min', value, { least: 0, most: 100 })).toBe(number)
})

it.each(['99o', 'x', '', ' ', 'NaN', '-1', '101', 'Infinity'])('rejects "%s"', (value) => {
  expect(() => readNumber('min', value, { least: 0, most: 100 })).toThrow(
    `--min must be a number from 0 to 100, not "${value}"`,
  )
})
