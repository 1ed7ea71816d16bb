import * as fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  asSealed,
  CellError,
  openCell,
  openJson,
  openText,
  sealCell,
  sealCellWithRandom,
  sealJson,
  sealText,
  type CellAddress,
  type CellPurpose,
  type Sealed,
} from './cell.ts'
import { createRandomKey, scopeKeys, type ScopeKeys } from './keys.ts'

const id = (last: number) => `0192d4e0-0000-7000-8000-${last.toString(16).padStart(12, '0')}`
const address: CellAddress = {
  userId: id(1),
  scopeId: id(2),
  table: 'memories',
  rowId: id(3),
  column: 'body',
  revision: 5,
}
const firstKey = createRandomKey()
const keys = scopeKeys(address.scopeId, [{ generation: 1, key: firstKey }])
const text = Buffer.from('Prefers trains to planes.')
const cell = sealCell(keys, 'content', address, text)

/** The result of openCell: the reason for the rejection, or "opened". Errors other than CellError are thrown. */
function reasonOf(
  bytes: Uint8Array,
  where = address,
  purpose: CellPurpose = 'content',
  under: ScopeKeys = keys,
): unknown {
  try {
    openCell(under, purpose, where, asSealed(bytes))
  } catch (error) {
    return error instanceof CellError ? error.reason : error
  }
  return 'opened'
}

describe('a cell', () => {
  it('opens where it was sealed', () => {
    expect(openCell(keys, 'content', address, cell)).toEqual(text)
  })

  it('also opens as plain bytes, which some drivers return', () => {
    expect(openCell(keys, 'content', address, asSealed(new Uint8Array(cell)))).toEqual(text)
  })

  it('is 34 bytes longer than its text and begins with version, suite and generation', () => {
    expect(cell).toHaveLength(text.length + 34)
    expect(Buffer.from(cell).toString('hex', 0, 6)).toBe('010100000001')
  })

  it('differs each time and does not reveal its text', () => {
    expect(Buffer.from(sealCell(keys, 'content', address, text)).equals(cell)).toBe(false)
    expect(Buffer.from(cell).includes('trains')).toBe(false)
  })

  it.each<[string, Partial<CellAddress>]>([
    ['row', { rowId: id(9) }],
    ['column', { column: 'head' }],
    ['table', { table: 'notes' }],
    ['scope', { scopeId: id(9) }],
    ['user', { userId: id(9) }],
    ['revision', { revision: 4 }],
    ['row, whose id was altered to none', { rowId: `${address.rowId.slice(0, -1)}x` }],
    ['revision that no cell can have', { revision: -1 }],
    ['cut between table and column', { table: 'memoriesb', column: 'ody' }],
  ])('does not open in another %s', (_, change) => {
    expect(reasonOf(cell, { ...address, ...change })).toBe('rejected')
  })

  it('does not open if row and user are swapped', () => {
    expect(reasonOf(cell, { ...address, rowId: address.userId, userId: address.rowId })).toBe('rejected')
  })

  it('does not open for another purpose', () => {
    expect(reasonOf(cell, address, 'index')).toBe('rejected')
  })

  it('does not open under another key', () => {
    const others = scopeKeys(address.scopeId, [{ generation: 1, key: createRandomKey() }])
    expect(reasonOf(cell, address, 'content', others)).toBe('rejected')
  })

  it('is not sealed under the keys of another scope', () => {
    expect(() => sealCell(keys, 'content', { ...address, scopeId: id(9) }, text)).toThrow(RangeError)
  })

  it('does not open with any single bit flipped', () => {
    for (let bit = 0; bit < cell.length * 8; bit++) {
      const flipped = Buffer.from(cell)
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      const expected = bit < 16 ? 'malformed' : bit < 48 ? 'unknown_generation' : 'rejected'
      expect(reasonOf(flipped)).toBe(expected)
    }
  })

  it('does not open when cut by any number of bytes', () => {
    for (let length = 0; length < cell.length; length++)
      expect(reasonOf(cell.subarray(0, length))).toBe(length < 34 ? 'malformed' : 'rejected')
  })

  it('does not open with a shortened tag', () => {
    const empty = sealCell(keys, 'content', address, Buffer.alloc(0))
    expect(reasonOf(empty)).toBe('opened')
    expect(reasonOf(empty.subarray(0, -12))).toBe('malformed')
  })

  it('does not open after any of 2,000 random changes', () => {
    const patch = fc.record({
      plaintext: fc.uint8Array({ maxLength: 200 }),
      at: fc.nat(),
      removed: fc.nat(40),
      inserted: fc.uint8Array({ maxLength: 40 }),
    })
    const changesNothing = fc.property(patch, ({ plaintext, at, removed, inserted }) => {
      const sealed = Buffer.from(sealCell(keys, 'content', address, plaintext))
      const start = at % (sealed.length + 1)
      const changed = Buffer.concat([sealed.subarray(0, start), inserted, sealed.subarray(start + removed)])
      fc.pre(!changed.equals(sealed))
      expect(reasonOf(changed)).toMatch(/^(malformed|unknown_generation|rejected)$/)
    })
    fc.assert(changesNothing, { numRuns: 2000 })
  })

  it('of any bytes opens to the same bytes', () => {
    const opensAgain = fc.property(fc.uint8Array({ maxLength: 2000 }), (plaintext) => {
      const opened = openCell(keys, 'content', address, sealCell(keys, 'content', address, plaintext))
      expect(opened.equals(plaintext)).toBe(true)
    })
    fc.assert(opensAgain)
  })

  it('may be megabytes long', () => {
    const long = Buffer.alloc(5_000_000, 'long ')
    expect(openCell(keys, 'index', address, sealCell(keys, 'index', address, long)).equals(long)).toBe(true)
  })

  it('has another nonce for another text or place even if the random source is stuck', () => {
    const stuck = Buffer.alloc(16)
    const nonceOf = (where: CellAddress, plaintext: string) =>
      Buffer.from(
        sealCellWithRandom(keys, 'content', where, { plaintext: Buffer.from(plaintext), random: stuck }),
      ).toString('hex', 6, 18)
    const nonces = Array.from({ length: 1000 }, (_, at) => [
      nonceOf(address, `text ${at}`),
      nonceOf({ ...address, revision: 10 + at }, 'a text'),
    ])
    expect(new Set(nonces.flat()).size).toBe(2000)
  })

  it('reveals nothing about its text or place in errors', () => {
    const error = new CellError('rejected', address)
    expect(error.message).toBe('sealed cell does not belong to this place or key')
    expect(Object.keys(error).toSorted()).toEqual(['name', 'reason'])
  })
})

describe('generations', () => {
  const renewed = scopeKeys(address.scopeId, [
    { generation: 1, key: firstKey },
    { generation: 2, key: createRandomKey() },
  ])
  const newCell = sealCell(renewed, 'content', address, text)

  it('seal with the newest key and open with the one that the cell names', () => {
    expect(Buffer.from(newCell).toString('hex', 0, 6)).toBe('010100000002')
    expect(openCell(renewed, 'content', address, newCell)).toEqual(text)
    expect(openCell(renewed, 'content', address, cell)).toEqual(text)
  })

  it('say which kind of key is missing', () => {
    expect(reasonOf(newCell)).toBe('unknown_generation')
  })

  it('do not open a cell whose header was changed to another generation', () => {
    const relabelled = Buffer.from(newCell)
    relabelled.writeUInt32BE(1, 2)
    expect(reasonOf(relabelled, address, 'content', renewed)).toBe('rejected')
  })

  it('do not open a relabelled cell even if both generations have the same key', () => {
    // The sub-keys differ by generation, and the header is in the associated data.
    const twins = scopeKeys(
      address.scopeId,
      [1, 2].map((generation) => ({ generation, key: firstKey })),
    )
    const relabelled = Buffer.from(sealCell(twins, 'content', address, text))
    relabelled.writeUInt32BE(1, 2)
    expect(reasonOf(relabelled, address, 'content', twins)).toBe('rejected')
  })
})

describe('text and JSON', () => {
  it.each(['', 'plain', '\uFEFFwith a mark', 'Zürich, 東京 und 🚆', '\0 and \r\n'])('keep %j unchanged', (value) => {
    expect(openText(keys, 'content', address, sealText(keys, 'content', address, value))).toBe(value)
  })

  it('keep a JSON value', () => {
    const value = { summary: 'é', tags: ['a', 'b'], count: 3, none: null }
    expect(openJson(keys, 'content', address, sealJson(keys, 'content', address, value))).toEqual(value)
  })
})

describe('the type of sealed columns', () => {
  it('accepts cells and rejects plain bytes and text', () => {
    expectTypeOf(cell).toExtend<Sealed>()
    expectTypeOf<Sealed>().toExtend<Uint8Array>()
    expectTypeOf<Buffer>().not.toExtend<Sealed>()
    expectTypeOf<Uint8Array>().not.toExtend<Sealed>()
    expectTypeOf<string>().not.toExtend<Sealed>()
  })
})
