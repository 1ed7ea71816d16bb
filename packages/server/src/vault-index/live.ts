import { dayMs } from '../core/time.ts'
import { startOfDay } from '../text/calendar.ts'
import { entityName, type WordTags } from './index-record.ts'
import type { IndexParts } from './parts/parts.ts'
import { tagWords } from './parts/tag-table.ts'
import type { VaultIndex } from './vault-index.ts'

/** Which items a search may return. Times are milliseconds since 1970. Omitted fields don't filter. */
export interface SearchFilter {
  kinds: readonly string[]
  types?: readonly string[]
  /** Only these items. */
  itemIds?: ReadonlySet<string>
  minImportance?: number
  /** Keyed names from `keyEntities`; an item passes with any of them. */
  entityTags?: Uint8Array
  /** Inclusive. */
  createdAfter?: number
  /** Exclusive. */
  createdBefore?: number
  includeArchived: boolean
  /** Only for a question about now. */
  includeSuperseded?: boolean
  /** The time of the question. */
  asOf: number
  /**
   * Whether the caller asked about a time in the past. Then later items are left out, and items superseded only later count. A question
   * about now sees everything that is stored, including items that a fast clock has dated in the future.
   */
  isRetrospective: boolean
}

/** Entity names as filters take them, keyed like those of records. */
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

/** Tests whether an item is live at that time: not removed, archived, expired, superseded or later. Expired items count as archived. */
export function livenessTest(index: VaultIndex, filter: SearchFilter): SlotTest {
  const { alive } = index
  const { asOf, includeArchived } = filter
  const { archived, expiresAt } = index.parts.facts.arrays
  const isOfItsTime = filter.isRetrospective ? knownAt(index, asOf) : notSuperseded(index, filter)
  return (slot) =>
    alive[slot] === 1 &&
    (includeArchived || (archived[slot] === 0 && (expiresAt[slot] as number) > asOf)) &&
    isOfItsTime(slot)
}

function notSuperseded(index: VaultIndex, { includeSuperseded = false }: SearchFilter): SlotTest {
  if (includeSuperseded) return () => true
  const { supersededAt } = index.parts.facts.arrays
  return (slot) => supersededAt[slot] === Infinity
}

/**
 * Existed and was not superseded yet. Dates from callers are often only exact to the day, so the whole day of the question counts for
 * them (recall@10 on lme100-turn 91.0; to the minute 69.3). Times from the server are exact.
 */
function knownAt(index: VaultIndex, asOf: number): SlotTest {
  const { createdAt, occurredAt, supersededAt } = index.parts.facts.arrays
  const endOfDay = startOfDay(asOf) + dayMs - 1
  return (slot) =>
    (occurredAt[slot] as number) <= (occurredAt[slot] === createdAt[slot] ? asOf : endOfDay) &&
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

/** Caches the slots of an id set: looking up 100,000 ids takes 70 ms. */
const lastWanted = new WeakMap<ReadonlySet<string>, { parts: IndexParts; wanted: Uint8Array }>()

function itemTest(index: VaultIndex, itemIds: ReadonlySet<string>): SlotTest {
  const wanted = wantedSlots(index, itemIds)
  return (slot) => wanted[slot] === 1
}

function wantedSlots(index: VaultIndex, itemIds: ReadonlySet<string>): Uint8Array {
  const known = lastWanted.get(itemIds)
  // A changed item gets a new slot, and packing creates new parts.
  if (known?.parts === index.parts && known.wanted.length === index.slotCount) return known.wanted
  const wanted = new Uint8Array(index.slotCount)
  for (const itemId of itemIds) {
    const slot = index.slotOf(itemId)
    if (slot >= 0) wanted[slot] = 1
  }
  lastWanted.set(itemIds, { parts: index.parts, wanted })
  return wanted
}

/** The whole filter as one test, cheap enough for every good candidate. */
export function filterTest(index: VaultIndex, filter: SearchFilter): SlotTest {
  const isLive = livenessTest(index, filter)
  const isWanted = wantedTest(index, filter)
  return (slot) => isLive(slot) && isWanted(slot)
}

/** The items that the caller wants, live or not. */
export type WantedItems = Omit<SearchFilter, 'includeArchived' | 'includeSuperseded' | 'asOf' | 'isRetrospective'>

/** The filter without liveness. */
export function wantedTest(index: VaultIndex, filter: WantedItems): SlotTest {
  const { facts } = index.parts
  const { kinds, types, importances, createdAt } = facts.arrays
  const kindAllowed = codesOf(facts.kindCodes.names, filter.kinds)
  const typeAllowed = codesOf(facts.typeCodes.names, filter.types)
  const hasEntity = filter.entityTags === undefined ? () => true : entityTest(index, filter.entityTags)
  const isNamed = filter.itemIds === undefined ? () => true : itemTest(index, filter.itemIds)
  const { minImportance = 0, createdAfter = -Infinity, createdBefore = Infinity } = filter
  return (slot) =>
    kindAllowed[kinds[slot] as number] === 1 &&
    typeAllowed[types[slot] as number] === 1 &&
    (importances[slot] as number) >= minImportance &&
    (createdAt[slot] as number) >= createdAfter &&
    (createdAt[slot] as number) < createdBefore &&
    hasEntity(slot) &&
    isNamed(slot)
}
