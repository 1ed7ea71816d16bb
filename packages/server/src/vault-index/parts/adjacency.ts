import { grow, TagTable } from './tag-table.ts'

/**
 * Most neighbors returned in each direction, the newest first, and most links read to find them. Both bound a search on any graph.
 */
const maxNeighbors = 256
const maxLinksWalked = 4096

const none = -1

/**
 * Links between nodes, walkable in both directions. Nodes are permanent numbers of ids, not slots, because a link outlives changes of
 * an item and may exist before it. A link's key is (source, target, relation, 0). Each node has a list of outgoing and of incoming
 * links. A removed link keeps its number but is taken out of the lists.
 */
export class Adjacency {
  readonly #links = new TagTable(4)
  #removed = new Uint8Array(0)
  /** A running number for each addition: the order that all servers agree on. */
  #madeAt = new Uint32Array(0)
  #made = 0
  #degrees = new Uint32Array(0)
  readonly #leaving = new LinkLists()
  readonly #reaching = new LinkLists()

  /** Ignores links from a node to itself. A link that exists becomes the newest, as if it had been removed before. */
  add(source: number, target: number, relation: number): void {
    if (source === target) return
    const known = this.#links.count
    const link = this.#links.add(Uint32Array.of(source, target, relation, 0))
    if (link < known) this.#take(source, target, link)
    this.#removed = grow(this.#removed, link + 1)
    this.#removed[link] = 0
    this.#madeAt = grow(this.#madeAt, link + 1)
    this.#madeAt[link] = this.#made++
    this.#leaving.put(source, link)
    this.#reaching.put(target, link)
    this.#degrees = grow(this.#degrees, Math.max(source, target) + 1)
    this.#count(source, target, 1)
  }

  #count(source: number, target: number, sign: 1 | -1): void {
    this.#degrees[source] = (this.#degrees[source] as number) + sign
    this.#degrees[target] = (this.#degrees[target] as number) + sign
  }

  /** Does nothing if the link doesn't exist. */
  remove(source: number, target: number, relation: number): void {
    const link = this.#links.find(Uint32Array.of(source, target, relation, 0))
    if (link >= 0) this.#take(source, target, link)
  }

  #take(source: number, target: number, link: number): void {
    if (this.#removed[link] === 1) return
    this.#removed[link] = 1
    this.#leaving.take(source, link)
    this.#reaching.take(target, link)
    this.#count(source, target, -1)
  }

  degreeOf(node: number): number {
    return node < this.#degrees.length ? (this.#degrees[node] as number) : 0
  }

  /**
   * Visits the outgoing links, newest first, until `visit` returns false; then the incoming links in the same way.
   */
  forEachLink(node: number, visit: (other: number, relation: number, isLeaving: boolean) => boolean): void {
    const { keys } = this.#links
    for (let link = this.#leaving.firstOf(node); link !== none; link = this.#leaving.after(link)) {
      if (!visit(keys[link * 4 + 1] as number, keys[link * 4 + 2] as number, true)) break
    }
    for (let link = this.#reaching.firstOf(node); link !== none; link = this.#reaching.after(link)) {
      if (!visit(keys[link * 4] as number, keys[link * 4 + 2] as number, false)) break
    }
  }

  /**
   * The newest wanted neighbors, at most `maxNeighbors` in each direction, and the number of links to nodes that count. Links that
   * were not read are assumed to count.
   */
  neighborsOf(
    node: number,
    { isWanted, counts }: { isWanted: (other: number) => boolean; counts: (other: number) => boolean },
  ): { neighbors: number[]; degree: number } {
    const neighbors: number[] = []
    let degree = this.degreeOf(node)
    const leaving = { neighbors: maxNeighbors, links: maxLinksWalked }
    const reaching = { ...leaving }
    this.forEachLink(node, (other, _relation, isLeaving) => {
      const left = isLeaving ? leaving : reaching
      if (!counts(other)) degree--
      if (isWanted(other)) {
        neighbors.push(other)
        left.neighbors--
      }
      return --left.links > 0 && left.neighbors > 0
    })
    return { neighbors, degree }
  }

  /** Visits each link of the relation, in any order. */
  forEachOf(relation: number, visit: (source: number, target: number) => void): void {
    const { keys, count } = this.#links
    for (let link = 0; link < count; link++) {
      if (keys[link * 4 + 2] !== relation || this.#removed[link] === 1) continue
      visit(keys[link * 4] as number, keys[link * 4 + 1] as number)
    }
  }

  /** The links as (source, target, relation) triples, oldest first. */
  triples(): Uint32Array {
    const { keys, count } = this.#links
    const inOrder = new Int32Array(this.#made).fill(none)
    let live = 0
    for (let link = 0; link < count; link++) {
      if (this.#removed[link] === 1) continue
      inOrder[this.#madeAt[link] as number] = link
      live++
    }
    const triples = new Uint32Array(live * 3)
    let at = 0
    for (const link of inOrder) {
      if (link === none) continue
      triples.set(keys.subarray(link * 4, link * 4 + 3), at)
      at += 3
    }
    return triples
  }

  get bytes(): number {
    const columns = this.#removed.byteLength + this.#madeAt.byteLength + this.#degrees.byteLength
    return this.#links.bytes + columns + this.#leaving.bytes + this.#reaching.bytes
  }

  wipe(): void {
    this.#links.wipe()
    this.#removed.fill(0)
    this.#madeAt.fill(0)
    this.#degrees.fill(0)
    this.#leaving.wipe()
    this.#reaching.wipe()
  }
}

/** A doubly linked list of links for each node, newest first. */
class LinkLists {
  #first = new Int32Array(0)
  #next = new Int32Array(0)
  #previous = new Int32Array(0)

  put(node: number, link: number): void {
    const known = this.#first.length
    this.#first = grow(this.#first, node + 1)
    if (this.#first.length > known) this.#first.fill(none, known)
    this.#next = grow(this.#next, link + 1)
    this.#previous = grow(this.#previous, link + 1)
    const first = this.#first[node] as number
    if (first !== none) this.#previous[first] = link
    this.#next[link] = first
    this.#previous[link] = none
    this.#first[node] = link
  }

  take(node: number, link: number): void {
    const [next, previous] = [this.#next[link] as number, this.#previous[link] as number]
    if (next !== none) this.#previous[next] = previous
    if (previous === none) this.#first[node] = next
    else this.#next[previous] = next
  }

  firstOf(node: number): number {
    return node < this.#first.length ? (this.#first[node] as number) : none
  }

  after(link: number): number {
    return this.#next[link] as number
  }

  get bytes(): number {
    return this.#first.byteLength + this.#next.byteLength + this.#previous.byteLength
  }

  wipe(): void {
    for (const array of [this.#first, this.#next, this.#previous]) array.fill(none)
  }
}
