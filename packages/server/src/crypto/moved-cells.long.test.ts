import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { measured, scaled } from '../../test/promises/measured.ts'
import { newId } from '../core/ids.ts'
import { asSealed, CellError, openCell, sealCell, type CellAddress, type CellPurpose, type Sealed } from './cell.ts'
import {
  createRandomKey,
  KeyWrapError,
  scopeKeys,
  unwrapKey,
  wrapKey,
  type WrapContext,
  wrappingKeyFrom,
  type ScopeKeys,
} from './keys.ts'

/** Cells of two people with two vaults each, of two generations: everything that could be exchanged with everything. */

interface Sample {
  keys: ScopeKeys
  purpose: CellPurpose
  address: CellAddress
  cell: Sealed
}

const one = <T>(list: readonly T[]): T => {
  const item = list[randomInt(list.length)]
  if (item === undefined) throw new Error('the list is not empty')
  return item
}

const users = [newId(), newId()]
const vaults = users.flatMap((userId) => [newId(), newId()].map((scopeId) => ({ userId, scopeId })))
const scopes = vaults.map(({ userId, scopeId }) => {
  const generations = [1, 2].map((generation) => ({ generation, key: createRandomKey() }))
  return { userId, scopeId, keys: [scopeKeys(scopeId, generations.slice(0, 1)), scopeKeys(scopeId, generations)] }
})
const places = [
  { table: 'memories', column: 'head' },
  { table: 'memories', column: 'body' },
  { table: 'notes', column: 'head' },
  { table: 'links', column: 'label' },
]

function seal(at: number): Sample {
  const { userId, scopeId, keys } = one(scopes)
  const address = { userId, scopeId, ...one(places), rowId: newId(), revision: 1 + (at % 3) }
  const purpose = one<CellPurpose>(['content', 'index'])
  return {
    keys: keys[1] ?? one(keys),
    purpose,
    address,
    cell: sealCell(one(keys), purpose, address, Buffer.from(`text ${at}`)),
  }
}

/** Ways to change a cell or its place, each of which must be noticed. */
const changes: Record<string, (sample: Sample, other: Sample) => Sample> = {
  'the place of another cell': (sample, { keys, address }) => ({ ...sample, keys, address }),
  'another row': (sample) => at(sample, { rowId: newId() }),
  'an earlier revision': (sample) => at(sample, { revision: sample.address.revision + 1 }),
  'another column': (sample) => at(sample, { column: `${sample.address.column}s` }),
  'another person': (sample) => at(sample, { userId: newId() }),
  'another purpose': (sample) => ({ ...sample, purpose: sample.purpose === 'index' ? 'content' : 'index' }),
  'a flipped bit': (sample) => changed(sample, (bytes) => flip(bytes, randomInt(bytes.length))),
  'a flipped bit of the header': (sample) => changed(sample, (bytes) => flip(bytes, randomInt(6))),
  'a flipped bit of the tag': (sample) => changed(sample, (bytes) => flip(bytes, bytes.length - 1 - randomInt(16))),
  'a cut end': (sample) => changed(sample, (bytes) => bytes.subarray(0, randomInt(bytes.length))),
  'the start of another cell': (sample, { cell }) =>
    changed(sample, (bytes) => Buffer.concat([Buffer.from(cell).subarray(0, 18), bytes.subarray(18)])),
}

const at = (sample: Sample, change: Partial<CellAddress>): Sample => ({
  ...sample,
  address: { ...sample.address, ...change },
})
const changed = (sample: Sample, change: (bytes: Buffer) => Buffer): Sample => ({
  ...sample,
  cell: asSealed(change(Buffer.from(sample.cell))),
})

function flip(bytes: Buffer, byte: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(byte) ^ (1 << randomInt(8)), byte)
  return bytes
}

function opens({ keys, purpose, address, cell }: Sample): boolean {
  try {
    openCell(keys, purpose, address, cell)
  } catch (error) {
    if (error instanceof CellError) return false
    throw error
  }
  return true
}

it('no cell opens after it was moved, exchanged, cut or changed', { timeout: 600_000 }, () => {
  const samples = Array.from({ length: 500 }, (_, number) => seal(number))
  expect(samples.filter((sample) => !opens(sample))).toEqual([])
  const ways = Object.entries(changes)
  const rounds = scaled(100_000)
  const opened: string[] = []
  for (let round = 0; round < rounds; round++) {
    const [way, change] = ways[round % ways.length] ?? one(ways)
    const [sample, other] = [one(samples), one(samples)]
    if (sample !== other && opens(change(sample, other))) opened.push(way)
  }
  expect(opened).toEqual([])
  measured({ changes: rounds, ways: ways.length, opened: opened.length })
})

it(
  'no wrapped key opens for another holder, person, instance or version, or after a change',
  { timeout: 600_000 },
  () => {
    const [root, key] = [wrappingKeyFrom(createRandomKey()), createRandomKey()]
    const holders = Array.from({ length: 50 }, () => {
      const context = {
        instanceId: newId(),
        userId: newId(),
        holderKind: one(['integration', 'user', 'vault'] as const),
        holderId: newId(),
        version: 1 + randomInt(3),
      }
      return { context, wrapped: wrapKey(root, key, context) }
    })
    const rounds = scaled(20_000)
    let opened = 0
    const tryToOpen = (wrapped: Buffer, context: WrapContext) => {
      try {
        unwrapKey(root, wrapped, context)
        opened++
      } catch (error) {
        if (!(error instanceof KeyWrapError)) throw error
      }
    }
    for (let round = 0; round < rounds; round++) {
      const [mine, other] = [one(holders), one(holders)]
      if (mine === other) continue
      if (round % 2 === 0) tryToOpen(Buffer.from(mine.wrapped), { ...mine.context, ...someOf(other.context, round) })
      else tryToOpen(flip(Buffer.from(mine.wrapped), randomInt(mine.wrapped.length)), mine.context)
    }
    expect(opened).toBe(0)
    measured({ changes: rounds, opened })
  },
)

/** The holder of another key, its person, or its instance. */
const someOf = (other: WrapContext, round: number): Partial<WrapContext> =>
  [{ holderId: other.holderId }, { userId: other.userId }, { instanceId: other.instanceId }][(round >> 1) % 3] ?? {}
