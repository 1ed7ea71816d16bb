import { entityName } from './key-entry.ts'
import type { WordTags } from './key-entry.ts'
import { tagWords } from './tag-table.ts'
import type { VaultIndex } from './vault-index.ts'

/** Which items a search may return. Times are milliseconds since 1970; what is left out does not filter. */
export interface SearchFilter {
  kinds: readonly string[]
  types?: readonly string[]
  minImportance?: number
  /** Keyed names from `keyEntities`; an item passes with any of them. */
  entityTags?: Uint8Array
  createdAfter?: number
  createdBefore?: number
  includeArchived: boolean
  /** The moment of asking: what expired or was superseded only after it still counts. */
  asOf: number
  /**
   * Items that took place after this are left out. Not set for a question of now: a write of a moment ago, by a clock
   * that is ahead, must be found.
   */
  occurredUntil?: number
}

/** Entity names as a filter takes them: as `keyEntry` keyed those of the records. */
export const keyEntities = (entities: readonly string[], wordTags: WordTags): Uint8Array =>
  wordTags(entities.map(entityName))

export type SlotTest = (slot: number) => boolean

function codesOf(names: readonly string[], wanted: readonly string[] | undefined): Uint8Array {
  const allowed = new Uint8Array(256)
  names.forEach((name, code) => {
    allowed[code] = wanted === undefined || wanted.includes(name) ? 1 : 0
  })
  return allowed
}

/** Lives at that moment: neither removed, archived, expired nor superseded, and not of a later time. */
export function livenessTest(index: VaultIndex, filter: SearchFilter): SlotTest {
  const { alive } = index
  const { asOf, includeArchived, occurredUntil = Infinity } = filter
  const { archived, occurredAt, expiresAt, supersededAt } = index.parts.facts.arrays
  return (slot) =>
    alive[slot] === 1 &&
    (includeArchived || archived[slot] === 0) &&
    (occurredAt[slot] as number) <= occurredUntil &&
    (expiresAt[slot] as number) > asOf &&
    (supersededAt[slot] as number) > asOf
}

function entityTest(index: VaultIndex, entityTags: Uint8Array): SlotTest {
  const { entities, entityNumbers, entityEnds } = index.parts
  const tags = tagWords(entityTags)
  const wanted = new Set<number>()
  for (let at = 0; at < tags.length; at += 2) wanted.add(entities.find(tags, at))
  return (slot) => {
    const start = slot === 0 ? 0 : (entityEnds[slot - 1] as number)
    for (let at = start; at < (entityEnds[slot] as number); at++) {
      if (wanted.has(entityNumbers[at] as number)) return true
    }
    return false
  }
}

/** The whole filter as one test, cheap enough to be asked for every good candidate. */
export function filterTest(index: VaultIndex, filter: SearchFilter): SlotTest {
  const { facts } = index.parts
  const { kinds, types, importances, createdAt } = facts.arrays
  const kindAllowed = codesOf(facts.kindCodes.names, filter.kinds)
  const typeAllowed = codesOf(facts.typeCodes.names, filter.types)
  const isLive = livenessTest(index, filter)
  const hasEntity = filter.entityTags === undefined ? () => true : entityTest(index, filter.entityTags)
  const { minImportance = 0, createdAfter = -Infinity, createdBefore = Infinity } = filter
  return (slot) =>
    isLive(slot) &&
    kindAllowed[kinds[slot] as number] === 1 &&
    typeAllowed[types[slot] as number] === 1 &&
    (importances[slot] as number) >= minImportance &&
    (createdAt[slot] as number) >= createdAfter &&
    (createdAt[slot] as number) <= createdBefore &&
    hasEntity(slot)
}
