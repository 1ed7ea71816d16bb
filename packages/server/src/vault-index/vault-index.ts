import type { Entry } from './stored/entry.ts'
import type { ItemFacts } from './parts/slot-columns.ts'
import { grow, tagWords, idWords, uuidOf } from './parts/tag-table.ts'
import { type IndexParts, emptyParts, wipeParts } from './parts/parts.ts'
import type { SlotOrder } from './parts/runs.ts'
import { VectorBlock } from './parts/vectors.ts'

/**
 * The search index of one vault in memory. It contains no plaintext, only keyed words, vectors, plain columns and links.
 *
 * - *node*: the permanent number of an id. Links may name ids that aren't items of the index.
 * - *slot*: one state of an item. A changed item gets a new slot and the old one dies; slots never change.
 */

export type IndexChange =
  | { itemId: string; facts: ItemFacts; entry: Entry }
  | { itemId: string; removed: true }
  /** Its entry is damaged, so nothing finds it. */
  | { itemId: string; damaged: true }

export interface IndexLink {
  sourceId: string
  targetId: string
  relationType: string
}

/** Dead slots that are tolerated: a share of all slots, but at least the minimum. */
const maxDeadShare = 0.25
const minDeadSlots = 64

export class VaultIndex {
  /** The change number up to which the index is complete. The caller that applies changes sets it. */
  seq = 0
  parts: IndexParts
  /** The items that nothing finds because their entries are damaged. */
  readonly damaged = new Set<string>()
  alive: Uint8Array
  slotCount: number
  deadSlots = 0
  #nodeSlots: Int32Array

  /** Takes over the parts. All their slots are live. */
  constructor(parts: IndexParts = emptyParts()) {
    this.parts = parts
    this.slotCount = parts.words.slotCount
    this.alive = new Uint8Array(this.slotCount).fill(1)
    this.#nodeSlots = new Int32Array(parts.nodes.count).fill(-1)
    for (let slot = 0; slot < this.slotCount; slot++) this.#nodeSlots[parts.slotNodes[slot] as number] = slot
  }

  /** The number of live items. */
  get size(): number {
    return this.slotCount - this.deadSlots
  }

  /** Whether it has so many dead slots that a packed copy should replace it. */
  get needsRepacking(): boolean {
    return this.deadSlots >= minDeadSlots && this.deadSlots > this.slotCount * maxDeadShare
  }

  /** Its size in memory, for the cache. */
  get bytes(): number {
    const { nodes, slotNodes, facts, words, runs, entities, entityNumbers, entityEnds, textTags } = this.parts
    const { names, titles, vectors, links } = this.parts
    const columns = [slotNodes, entityNumbers, entityEnds, textTags, this.alive, this.#nodeSlots]
    return [nodes, facts, words, runs, entities, names, titles, links, ...vectors]
      .map((part) => part.bytes)
      .concat(columns.map((column) => column.byteLength))
      .reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Applies changes in order. Applying a change twice has no further effect. */
  apply(changes: readonly IndexChange[]): void {
    for (const change of changes) {
      if ('facts' in change) this.#insert(change.itemId, change.facts, change.entry)
      else this.#kill(this.slotOf(change.itemId))
      if ('damaged' in change) this.damaged.add(change.itemId)
      else this.damaged.delete(change.itemId)
    }
    this.parts.runs.settle(this.#runOrder)
  }

  #insert(itemId: string, facts: ItemFacts, entry: Entry): void {
    const { parts } = this
    const node = this.#nodeOf(itemId)
    this.#kill(this.#nodeSlots[node] as number)
    const slot = this.slotCount++
    parts.slotNodes = grow(parts.slotNodes, slot + 1)
    parts.slotNodes[slot] = node
    const termOf = parts.words.add(entry)
    parts.names.add(slot, entry.names, termOf, entry.titleWords > 0 ? 'title' : 'entity')
    if (entry.titleWords > 0) parts.titles.add(slot, entry.tagWords, entry.titleWords)
    parts.textTags = grow(parts.textTags, slot * 2 + 2)
    if (entry.textTag !== undefined) parts.textTags.set(tagWords(entry.textTag), slot * 2)
    parts.facts.set(slot, facts)
    parts.runs.add(slot, entry.run === undefined ? undefined : tagWords(entry.run))
    this.#addEntities(slot, entry.entities)
    this.#addVectors(slot, entry)
    this.alive = grow(this.alive, slot + 1)
    this.alive[slot] = 1
    this.#nodeSlots[node] = slot
  }

  /** Orders by an item's own times, not by its last change: an item that was updated, archived or rated keeps its position. */
  readonly #runOrder = (left: number, right: number): number => {
    const { occurredAt, createdAt } = this.parts.facts.arrays
    return (
      (occurredAt[left] as number) - (occurredAt[right] as number) ||
      (createdAt[left] as number) - (createdAt[right] as number) ||
      compareIds(this.parts, left, right)
    )
  }

  #addEntities(slot: number, entities: Uint8Array): void {
    const { parts } = this
    const tags = tagWords(entities)
    const start = slot === 0 ? 0 : (parts.entityEnds[slot - 1] as number)
    const count = tags.length / 2
    parts.entityEnds = grow(parts.entityEnds, slot + 1)
    parts.entityEnds[slot] = start + count
    parts.entityNumbers = grow(parts.entityNumbers, start + count)
    for (let i = 0; i < count; i++) parts.entityNumbers[start + i] = parts.entities.add(tags, i * 2)
  }

  #addVectors(slot: number, { vectors }: Entry): void {
    if (vectors === undefined || vectors.scales.length === 0) return
    let block = this.vectorsOf(vectors.modelId, vectors.dims)
    if (block === undefined) {
      block = new VectorBlock(vectors.modelId, vectors.dims)
      this.parts.vectors.push(block)
    }
    block.add(slot, vectors)
  }

  /** The vectors of a model with this length, or undefined. */
  vectorsOf(modelId: string, dims: number): VectorBlock | undefined {
    return this.parts.vectors.find((block) => block.modelId === modelId && block.dims === dims)
  }

  /** The number of live items with vectors of a model. */
  itemsWithVectors(modelId: string): number {
    return this.parts.vectors
      .filter((block) => block.modelId === modelId)
      .reduce((sum, block) => sum + block.liveItems, 0)
  }

  /** Whether live items have vectors of other models, which a question to this model can't find. */
  hasVectorsOfOthers(modelId: string, dims?: number): boolean {
    return this.parts.vectors.some(
      (block) => block.liveItems > 0 && (block.modelId !== modelId || (dims !== undefined && block.dims !== dims)),
    )
  }

  #kill(slot: number): void {
    if (slot < 0) return
    this.parts.words.remove(slot)
    this.parts.runs.remove(slot)
    for (const block of this.parts.vectors) block.forget(slot)
    this.alive[slot] = 0
    this.deadSlots++
    this.#nodeSlots[this.parts.slotNodes[slot] as number] = -1
  }

  #nodeOf(id: string): number {
    const node = this.parts.nodes.add(idWords(id))
    const known = this.#nodeSlots.length
    if (node >= known) {
      this.#nodeSlots = grow(this.#nodeSlots, node + 1)
      this.#nodeSlots.fill(-1, known)
    }
    return node
  }

  #relationCode(relationType: string): number {
    const { relationNames } = this.parts
    const known = relationNames.indexOf(relationType)
    return known >= 0 ? known : relationNames.push(relationType) - 1
  }

  addLinks(links: readonly IndexLink[]): void {
    for (const { sourceId, targetId, relationType } of links) {
      this.parts.links.add(this.#nodeOf(sourceId), this.#nodeOf(targetId), this.#relationCode(relationType))
    }
  }

  removeLinks(links: readonly IndexLink[]): void {
    for (const { sourceId, targetId, relationType } of links) {
      this.parts.links.remove(this.#nodeOf(sourceId), this.#nodeOf(targetId), this.#relationCode(relationType))
    }
  }

  /** The live slot of an item, or -1. */
  slotOf(itemId: string): number {
    const node = this.parts.nodes.find(idWords(itemId))
    return node < 0 ? -1 : (this.#nodeSlots[node] as number)
  }

  /** The live slot of a node, or -1. */
  slotOfNode(node: number): number {
    return this.#nodeSlots[node] as number
  }

  /** Where the title of a slot begins among its words, or its text if it has no title. */
  textStartOf(slot: number): number {
    const { words, titles } = this.parts
    return words.startOf(slot) + (words.headerLengths[slot] as number) - titles.of(slot).titleWords
  }

  itemIdOf(slot: number): string {
    return uuidOf(this.parts.nodes.keys, (this.parts.slotNodes[slot] as number) * 4)
  }

  /** Overwrites everything. The index must not be used afterwards. */
  wipe(): void {
    wipeParts(this.parts)
    this.alive.fill(0)
    this.#nodeSlots.fill(-1)
    this.slotCount = 0
    this.deadSlots = 0
  }
}

/** Orders by id. */
function compareIds({ slotNodes, nodes: { keys } }: IndexParts, a: number, b: number): number {
  const [nodeA, nodeB] = [(slotNodes[a] as number) * 4, (slotNodes[b] as number) * 4]
  for (let i = 0; i < 4; i++) {
    const difference = (keys[nodeA + i] as number) - (keys[nodeB + i] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/** Newest first, then by descending id. Slot numbers don't help: any change of an item, even of its importance, gives it a new slot. */
export function newerFirst({ parts }: VaultIndex): SlotOrder {
  const { occurredAt } = parts.facts.arrays
  return (a, b) => (occurredAt[b] as number) - (occurredAt[a] as number) || compareIds(parts, b, a)
}
