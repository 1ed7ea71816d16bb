import { headerWords } from '../text/header-words.ts'
import { runName, type WordTags } from './index-record.ts'
import { keyEntities, wantedTest, type SlotTest, type WantedItems } from './live.ts'
import { none } from './parts/runs.ts'
import { tagWords } from './parts/tag-table.ts'
import { termMask } from './parts/words.ts'
import type { VaultIndex } from './vault-index.ts'

/**
 * Selects, counts and groups items by values that are sealed in their records: agent, entity, run. The index has keyed words for these,
 * so lists and counts only decrypt the records that they show.
 */

/**
 * `superseded`: neither live nor archived. An expired item is so until it gets archived, soon after. The index doesn't know whether that
 * has happened, so its test for both states also passes expired items of the other.
 */
export const itemStates = ['live', 'superseded', 'archived', 'all'] as const
export type ItemState = (typeof itemStates)[number]

/** Omitted fields don't filter. */
export interface ItemChoice extends Omit<WantedItems, 'entityTags' | 'itemIds'> {
  state: ItemState
  /** The moment at which they are live. */
  at: number
  /** Who wrote it. Agents with the same stems in their names (Александр and Александра) are not distinguished. */
  agentId?: string
  /** One of the item's entities. */
  entity?: string
  agentRunId?: string
  /** Has a link of this relation, in either direction. */
  relationType?: string
}

/** A test for slots that is cheap enough to run on every slot. */
export function choiceTest(index: VaultIndex, choice: ItemChoice, keyed: WordTags): SlotTest {
  const { agentId, entity, agentRunId, relationType } = choice
  const wanted = { ...choice, ...(entity !== undefined && { entityTags: keyEntities([entity], keyed) }) }
  const tests = [
    stateTest(index, choice),
    wantedTest(index, wanted),
    ...(agentId === undefined ? [] : [agentTest(index, agentId, keyed)]),
    ...(agentRunId === undefined ? [] : [runTest(index, agentRunId, keyed)]),
    ...(relationType === undefined ? [] : [relationTest(index, relationType)]),
  ]
  return (slot) => tests.every((test) => test(slot))
}

/** The slots that pass, in ascending order. */
export function slotsOf(index: VaultIndex, test: SlotTest): number[] {
  const slots: number[] = []
  for (let slot = 0; slot < index.slotCount; slot++) if (test(slot)) slots.push(slot)
  return slots
}

/** The slots of each of these runs that pass, in ascending order. Runs without any are left out. */
export function slotsByRun(
  index: VaultIndex,
  test: SlotTest,
  agentRunIds: readonly string[],
  keyed: WordTags,
): Map<string, number[]> {
  const { runs } = index.parts
  const names = new Map(agentRunIds.map((name) => [runs.runs.find(tagWords(keyed([runName(name)]))), name]))
  const found = new Map<string, number[]>()
  for (let slot = 0; slot < index.slotCount; slot++) {
    const name = names.get(runs.runOf[slot] as number)
    if (name === undefined || runs.runOf[slot] === none || !test(slot)) continue
    const slots = found.get(name) ?? []
    slots.push(slot)
    found.set(name, slots)
  }
  return found
}

/** The ids on one page of these slots. */
export function pageOfSlots(
  index: VaultIndex,
  slots: readonly number[],
  sort: 'newest' | 'oldest' | 'importance',
  { limit, offset }: { limit: number; offset: number },
): string[] {
  const { createdAt, importances } = index.parts.facts.arrays
  const byAge = (a: number, b: number) =>
    (createdAt[a] as number) - (createdAt[b] as number) || (index.itemIdOf(a) < index.itemIdOf(b) ? -1 : 1)
  const compare = {
    newest: (a: number, b: number) => byAge(b, a),
    oldest: byAge,
    importance: (a: number, b: number) => (importances[b] as number) - (importances[a] as number) || byAge(b, a),
  }[sort]
  return slots
    .toSorted(compare)
    .slice(offset, offset + limit)
    .map((slot) => index.itemIdOf(slot))
}

function stateTest({ alive, parts }: VaultIndex, { state, at }: ItemChoice): SlotTest {
  const { archived, expiresAt, supersededAt } = parts.facts.arrays
  if (state === 'all') return (slot) => alive[slot] === 1
  const isGone = (slot: number) => archived[slot] === 1 || (expiresAt[slot] as number) <= at
  if (state === 'archived') return (slot) => alive[slot] === 1 && isGone(slot)
  if (state === 'superseded')
    return (slot) =>
      alive[slot] === 1 &&
      archived[slot] !== 1 &&
      (supersededAt[slot] !== Infinity || (expiresAt[slot] as number) <= at)
  return (slot) => alive[slot] === 1 && !isGone(slot) && supersededAt[slot] === Infinity
}

/** Compares the words of the agent's name. A name without words matches nothing. */
function agentTest(index: VaultIndex, agentId: string, keyed: WordTags): SlotTest {
  const { words, speakerWords } = headerWords({ speaker: agentId, occurredAt: NaN, entities: [], tags: [] })
  const tags = tagWords(keyed(words.slice(0, speakerWords)))
  const { words: indexed } = index.parts
  const terms = Array.from({ length: tags.length / 2 }, (_, at) => indexed.terms.find(tags, at * 2))
  if (terms.length === 0 || terms.includes(-1)) return () => false
  return (slot) => {
    if (indexed.speakerLengths[slot] !== terms.length) return false
    const start = indexed.startOf(slot)
    return terms.every((term, at) => ((indexed.sequence[start + at] as number) & termMask) === term)
  }
}

function runTest({ parts: { runs } }: VaultIndex, agentRunId: string, keyed: WordTags): SlotTest {
  const run = runs.runs.find(tagWords(keyed([runName(agentRunId)])))
  return run < 0 ? () => false : (slot) => runs.runOf[slot] === run
}

function relationTest({ parts }: VaultIndex, relationType: string): SlotTest {
  const nodes = new Set<number>()
  const relation = parts.relationNames.indexOf(relationType)
  parts.links.forEachOf(relation, (source, target) => nodes.add(source).add(target))
  return (slot) => nodes.has(parts.slotNodes[slot] as number)
}

/** The size of a group of items, and one of them, whose record contains the shared value. */
export interface ItemGroup {
  itemId: string
  count: number
}

interface Group {
  slot: number
  count: number
}

/** Groups slots by agent, largest first. Slots without an agent are not counted. */
export function groupByAgent(index: VaultIndex, slots: readonly number[], limit: number): ItemGroup[] {
  const { words } = index.parts
  const groups = new Map<number | string, Group>()
  for (const slot of slots) {
    const [start, length] = [words.startOf(slot), words.speakerLengths[slot] as number]
    const terms = words.sequence.subarray(start, start + length).map((term) => term & termMask)
    if (length > 0) addTo(groups, length === 1 ? (terms[0] as number) : terms.join(), slot)
  }
  return mostOf(index, [...groups.values()], limit)
}

export interface EntityGroup extends ItemGroup {
  /** The keyed name from `keyEntities`. */
  tag: string
  /** When the newest of the items was stored. */
  lastAt: number
}

/** Groups slots by entity, largest first. `total` also counts the groups beyond the limit. */
export function groupByEntity(
  index: VaultIndex,
  slots: readonly number[],
  limit: number,
): { groups: EntityGroup[]; total: number } {
  const { createdAt } = index.parts.facts.arrays
  const groups = new Map<number, Group & { entity: number; lastAt: number }>()
  for (const slot of slots)
    eachEntity(index, slot, (entity) => {
      const group = groups.get(entity) ?? { slot, entity, count: 0, lastAt: 0 }
      group.count++
      group.lastAt = Math.max(group.lastAt, createdAt[slot] as number)
      groups.set(entity, group)
    })
  const most = [...groups.values()].toSorted(byCount).slice(0, limit)
  return {
    groups: most.map(({ slot, entity, count, lastAt }) => ({
      itemId: index.itemIdOf(slot),
      count,
      tag: tagAt(index, entity),
      lastAt,
    })),
    total: groups.size,
  }
}

/** The number of passing slots with each entity, by the entity's number in the index. */
export function countByEntity(index: VaultIndex, passes: SlotTest): Uint32Array {
  const counts = new Uint32Array(index.parts.entities.count)
  const count = (entity: number) => (counts[entity] = (counts[entity] as number) + 1)
  for (let slot = 0; slot < index.slotCount; slot++) if (passes(slot)) eachEntity(index, slot, count)
  return counts
}

/** Visits the entities of a slot, as numbers of the index. */
export function eachEntity(
  { parts: { entityNumbers, entityEnds } }: VaultIndex,
  slot: number,
  visit: (entity: number) => void,
): void {
  const start = slot === 0 ? 0 : (entityEnds[slot - 1] as number)
  for (let at = start; at < (entityEnds[slot] as number); at++) visit(entityNumbers[at] as number)
}

/** The keyed name of an entity by its number: the same in every index of the vault, and it says nothing about the name. */
export const tagAt = ({ parts: { entities } }: VaultIndex, entity: number): string =>
  tagText(entities.keys.subarray(entity * 2, entity * 2 + 2))

/** The keyed name of an entity, as `groupByEntity` returns it. */
export const entityTag = (entity: string, keyed: WordTags): string => tagText(tagWords(keyEntities([entity], keyed)))

const tagText = (tag: Uint32Array): string => tag.join('.')

function addTo(groups: Map<number | string, Group>, name: number | string, slot: number): void {
  const group = groups.get(name)
  if (group === undefined) groups.set(name, { slot, count: 1 })
  else group.count++
}

const byCount = (a: Group, b: Group): number => b.count - a.count || a.slot - b.slot

const mostOf = (index: VaultIndex, groups: readonly Group[], limit: number): ItemGroup[] =>
  groups
    .toSorted(byCount)
    .slice(0, limit)
    .map(({ slot, count: items }) => ({ itemId: index.itemIdOf(slot), count: items }))

/** The source and target ids of the links of this relation between items that both pass. */
export function relatedPairs(index: VaultIndex, relationType: string, passes: SlotTest): [string, string][] {
  const { parts } = index
  const links: [number, number][] = []
  parts.links.forEachOf(parts.relationNames.indexOf(relationType), (source, target) => links.push([source, target]))
  const wanted = new Set(links.flat())
  const itemIds = new Map<number, string>()
  for (let slot = 0; slot < index.slotCount && wanted.size > 0; slot++) {
    const node = parts.slotNodes[slot] as number
    if (wanted.has(node) && passes(slot)) itemIds.set(node, index.itemIdOf(slot))
  }
  return links.flatMap(([source, target]) => {
    const [sourceId, targetId] = [itemIds.get(source), itemIds.get(target)]
    return sourceId === undefined || targetId === undefined ? [] : [[sourceId, targetId] as [string, string]]
  })
}
