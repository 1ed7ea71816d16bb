import { type IndexColumns, decodeSnapshot, encodeSnapshot } from '../stored/snapshot.ts'
import type { ItemFacts } from '../parts/slot-columns.ts'
import { type IndexedRecord, type WordTags, keyEntry } from '../index-record.ts'
import { atOnce } from '../../core/in-pieces.ts'
import { packIndex } from '../pack-index.ts'
import { buildParts } from '../parts/parts.ts'
import { turnType } from '../parts/runs.ts'
import { VaultIndex, type IndexChange } from '../vault-index.ts'

/** Fixtures for tests of the index: tags without a key, ids by number, records with defaults. */

/** FNV-1a, twice: 64 bits are enough for the few words of a test. */
export const wordTags: WordTags = (words) => {
  const tags = Buffer.alloc(words.length * 8)
  words.forEach((word, i) => {
    tags.writeUInt32LE(hashOf(word, 0x811c9dc5), i * 8)
    tags.writeUInt32LE(hashOf(word, 0x01234567), i * 8 + 4)
  })
  return tags
}

function hashOf(word: string, start: number): number {
  let hash = start
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

export const idOf = (number: number): string => `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/** The default date of test records. */
export const testDay = Date.UTC(2024, 2, 4, 12)

export interface TestRecord extends Partial<Omit<IndexedRecord, 'header'>> {
  id: number
  header?: Partial<IndexedRecord['header']>
  facts?: Partial<ItemFacts>
}

export function changeOf({ id, text = '', header, facts, ...rest }: TestRecord): IndexChange {
  const occurredAt = header?.occurredAt ?? testDay
  return {
    itemId: idOf(id),
    facts: {
      kind: 'memory',
      type: rest.agentRunId === undefined ? 'fact' : turnType,
      importance: 3,
      archived: false,
      createdAt: occurredAt,
      occurredAt,
      expiresAt: null,
      supersededAt: null,
      ...facts,
    },
    entry: keyEntry({ text, header: { occurredAt, entities: [], tags: [], ...header }, ...rest }, wordTags),
  }
}

/** The live items of the index, as the columns of a snapshot. */
export const packed = (index: VaultIndex): IndexColumns => atOnce(packIndex(index))

export function built(columns: IndexColumns): VaultIndex {
  const index = new VaultIndex(atOnce(buildParts(columns)))
  index.seq = columns.seq
  return index
}

/** The segments of the index's snapshot. */
export const segmentsOf = (index: VaultIndex): Uint8Array[] =>
  Array.from(encodeSnapshot(packed(index)).segments, (segment) => segment.slice())

/** The index after a round trip through its snapshot. */
export const throughSnapshot = (index: VaultIndex): VaultIndex => built(decodeSnapshot(segmentsOf(index)))
