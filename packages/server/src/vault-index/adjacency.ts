import { grow } from './grow.ts'
import { TagTable } from './tag-table.ts'

/**
 * Past this many links a node is a hub: its newest ones stand for it. Keeps a search short whatever the graph is like.
 */
const maxLinksWalked = 256

/**
 * Links between nodes, walked in both directions. Nodes are the permanent numbers of ids, not slots: a link outlives
 * the rewriting of an item, and may come before the item. A link's key is (source, target, relation, 0); each node has
 * a linked list of those that leave it and of those that reach it, newest first. A removed link keeps its place.
 */
export class Adjacency {
  readonly #links = new TagTable(4)
  #removed = new Uint8Array(0)
  #nextOfSource = new Int32Array(0)
  #nextOfTarget = new Int32Array(0)
  #firstOut = new Int32Array(0)
  #firstIn = new Int32Array(0)
  #degrees = new Uint32Array(0)

  #reach(node: number): void {
    const known = this.#degrees.length
    if (node < known) return
    this.#firstOut = grow(this.#firstOut, node + 1)
    this.#firstIn = grow(this.#firstIn, node + 1)
    this.#degrees = grow(this.#degrees, node + 1)
    this.#firstOut.fill(-1, known)
    this.#firstIn.fill(-1, known)
  }

  /** A link that is there already, or from a node to itself, changes nothing. */
  add(source: number, target: number, relation: number): void {
    if (source === target) return
    const known = this.#links.count
    const link = this.#links.add(Uint32Array.of(source, target, relation, 0))
    if (link < known && this.#removed[link] === 0) return
    this.#reach(Math.max(source, target))
    if (link === known) this.#append(link, source, target)
    this.#removed[link] = 0
    this.#count(source, target, 1)
  }

  #append(link: number, source: number, target: number): void {
    this.#removed = grow(this.#removed, link + 1)
    this.#nextOfSource = grow(this.#nextOfSource, link + 1)
    this.#nextOfTarget = grow(this.#nextOfTarget, link + 1)
    this.#nextOfSource[link] = this.#firstOut[source] as number
    this.#nextOfTarget[link] = this.#firstIn[target] as number
    this.#firstOut[source] = link
    this.#firstIn[target] = link
  }

  #count(source: number, target: number, sign: 1 | -1): void {
    this.#degrees[source] = (this.#degrees[source] as number) + sign
    this.#degrees[target] = (this.#degrees[target] as number) + sign
  }

  /** A link that is not there is nothing to do. */
  remove(source: number, target: number, relation: number): void {
    const link = this.#links.find(Uint32Array.of(source, target, relation, 0))
    if (link < 0 || this.#removed[link] === 1) return
    this.#removed[link] = 1
    this.#count(source, target, -1)
  }

  degreeOf(node: number): number {
    return node < this.#degrees.length ? (this.#degrees[node] as number) : 0
  }

  /** Calls back for the node at the other end of each link, newest first, at most `maxLinksWalked` each way. */
  forEachNeighbour(node: number, visit: (other: number) => void): void {
    if (node >= this.#degrees.length) return
    const { keys } = this.#links
    const walk = (first: number, next: Int32Array, end: 0 | 1): void => {
      for (let link = first, left = maxLinksWalked; link >= 0 && left > 0; link = next[link] as number, left--) {
        if (this.#removed[link] === 0) visit(keys[link * 4 + end] as number)
      }
    }
    walk(this.#firstOut[node] as number, this.#nextOfSource, 1)
    walk(this.#firstIn[node] as number, this.#nextOfTarget, 0)
  }

  /** The links as (source, target, relation) triples, oldest first. */
  triples(): Uint32Array {
    const { keys, count } = this.#links
    const triples: number[] = []
    for (let link = 0; link < count; link++) {
      if (this.#removed[link] === 0) triples.push(...keys.subarray(link * 4, link * 4 + 3))
    }
    return Uint32Array.from(triples)
  }

  get bytes(): number {
    return (
      this.#links.bytes + this.#nextOfSource.byteLength * 2 + this.#removed.byteLength + this.#degrees.byteLength * 3
    )
  }

  wipe(): void {
    this.#links.wipe()
    this.#removed.fill(0)
    this.#degrees.fill(0)
    for (const array of [this.#firstOut, this.#firstIn, this.#nextOfSource, this.#nextOfTarget]) array.fill(-1)
  }
}
