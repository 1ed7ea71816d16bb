import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { TagTable, tagWords } from './tag-table.ts'

it('gives each key one number, in order of arrival, and unknown keys none', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 200 }), (pairs) => {
      const table = new TagTable(2)
      const expected = new Map<string, number>()
      for (const pair of pairs) {
        const name = pair.join()
        if (!expected.has(name)) expected.set(name, expected.size)
        expect(table.add(Uint32Array.from(pair))).toBe(expected.get(name))
      }
      expect(table.count).toBe(expected.size)
      expect(table.find(Uint32Array.of(99, 99))).toBe(-1)
      const copy = new TagTable(2, table.keys.slice())
      for (const pair of pairs) expect(copy.find(Uint32Array.from(pair))).toBe(expected.get(pair.join()))
    }),
  )
})

it('reads tags from any offset', () => {
  const bytes = Buffer.from('00aabbccdd11223344', 'hex').subarray(1)
  expect([...tagWords(bytes)].map((word) => word.toString(16))).toEqual(['ddccbbaa', '44332211'])
})
