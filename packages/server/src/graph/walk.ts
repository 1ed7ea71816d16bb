import { relationTypes, type RelationType } from '../links/relation-types.ts'
import type { NodeType, Triple } from '../links/store.ts'
import { livenessTest, type SlotTest } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'

/**
 * Breadth-first walk over the links in a vault's index, with a fixed order and fixed limits. The index has both ends of each
 * link in memory and knows what is live. With database queries, each hop would read all links of a hub.
 */

export interface WalkedNode {
  type: NodeType
  id: string
  hop: number
  /** Number of links in both directions, including links with nodes that aren't live. */
  degree: number
  /** The link by which it was reached; undefined for the starting nodes. */
  via: Step | undefined
}

export interface Step {
  from: WalkedNode
  relationType: RelationType
  /** Whether the link leaves the node that the walk came from. */
  isLeaving: boolean
}

export interface WalkBounds {
  maxHops: number
  maxNodes: number
  /** Default: follow links of all relations. */
  relationTypes?: readonly RelationType[] | undefined
  /** Nodes that the walk may visit. */
  passes: SlotTest
}

export interface Walk {
  /** In the order they were reached. */
  nodes: WalkedNode[]
  /** Whether a limit left out nodes within these hops. */
  isCut: boolean
}

/** The most links in one answer. */
export const maxEdges = 2_000

/** Tests whether a slot is live: not archived, trashed, expired or superseded. False for no slot (-1). */
export const livenessNow = (index: VaultIndex, now: number): SlotTest =>
  livenessTest(index, { kinds: [], includeArchived: false, asOf: now, isRetrospective: false })

/** The newest links followed from a node in each direction. A node with more is a hub, whose single links mean little. */
const maxLinksFollowed = 256
/** For all nodes of a hop together, in each direction; at least 8 per node. Keeps a walk of 1,001 nodes under 50 ms. */
const maxLinksOfHop = 32_768
const minLinksFollowed = 8

const linksEach = (nodes: number): number =>
  Math.max(minLinksFollowed, Math.min(maxLinksFollowed, Math.floor(maxLinksOfHop / nodes)))

/** A node reached by a link. Kept small, because a hop can reach 100,000 of them. */
interface Neighbor {
  node: number
  slot: number
  /** Rank of the link's relation. Outgoing links rank before incoming ones. */
  linkRank: number
}

interface Place {
  walked: WalkedNode
  node: number
}

/**
 * The nodes within a number of hops from the starting nodes. `passes` doesn't apply to those. A node's neighbors are ordered by
 * importance, then newest first. The nodes of a hop take turns, so a hub doesn't crowd out the neighbors of the others.
 */
export function walkGraph(index: VaultIndex, startIds: readonly string[], bounds: WalkBounds): Walk {
  const { links, slotNodes, relationNames } = index.parts
  const ranks = relationNames.map((name) => rankOf(name, bounds.relationTypes))
  const places: Place[] = []
  const seen = new Set<number>()
  let isCut = false
  const take = (node: number, slot: number, hop: number, via: Step | undefined) => {
    seen.add(node)
    places.push({ node, walked: { ...refOf(index, slot), hop, degree: links.degreeOf(node), via } })
  }
  for (const slot of startIds.map((id) => index.slotOf(id))) {
    const node = slot < 0 ? -1 : (slotNodes[slot] as number)
    if (node >= 0 && !seen.has(node)) take(node, slot, 0, undefined)
  }
  const end = (): Walk => ({ nodes: places.map(({ walked }) => walked), isCut })
  let begin = 0
  for (let hop = 1; hop <= bounds.maxHops && begin < places.length; hop++) {
    const frontier = places.slice(begin)
    begin = places.length
    const lists = frontier.map(({ node }) => {
      const near = neighborsOf(index, node, { ranks, mostLinks: linksEach(frontier.length), passes: bounds.passes })
      isCut ||= near.isCut
      return near.neighbors
    })
    for (const [turn, { node, slot, linkRank }] of inTurns(lists)) {
      if (seen.has(node)) continue
      isCut ||= places.length >= bounds.maxNodes
      if (places.length >= bounds.maxNodes) return end()
      const { walked } = frontier[turn] as Place
      take(node, slot, hop, { from: walked, ...linkOfRank(linkRank) })
    }
  }
  return end()
}

export function refOf(index: VaultIndex, slot: number) {
  const { kindCodes, arrays } = index.parts.facts
  return { type: kindCodes.names[arrays.kinds[slot] as number] as NodeType, id: index.itemIdOf(slot) }
}

const rankOf = (name: string, wanted: readonly RelationType[] | undefined): number =>
  wanted?.includes(name as RelationType) === false ? -1 : relationTypes.indexOf(name as RelationType)

const linkOfRank = (rank: number) => ({
  relationType: relationTypes[rank % relationTypes.length] as RelationType,
  isLeaving: rank < relationTypes.length,
})

/** Yields the first item of each list, then the second of each, and so on, with the list's position. */
function* inTurns<T>(lists: readonly T[][]): Generator<[list: number, item: T]> {
  const longest = lists.reduce((length, list) => Math.max(length, list.length), 0)
  for (let turn = 0; turn < longest; turn++)
    for (const [list, items] of lists.entries()) if (turn < items.length) yield [list, items[turn] as T]
}

/** Best first. A node with several links appears once, with the link of the lowest rank. */
function neighborsOf(
  index: VaultIndex,
  from: number,
  { ranks, mostLinks, passes }: { ranks: readonly number[]; mostLinks: number; passes: SlotTest },
) {
  const best = new Map<number, number>()
  const left = [mostLinks, mostLinks]
  let isCut = false
  index.parts.links.forEachLink(from, (other, relation, isLeaving) => {
    const rank = ranks[relation] as number
    if (rank < 0) return true
    const way = isLeaving ? 0 : 1
    isCut ||= left[way] === 0
    if (left[way] === 0) return false
    left[way] = (left[way] as number) - 1
    best.set(other, Math.min(best.get(other) ?? Infinity, way * relationTypes.length + rank))
    return true
  })
  const neighbors: Neighbor[] = []
  for (const [node, linkRank] of best) {
    const slot = index.slotOfNode(node)
    if (slot >= 0 && passes(slot)) neighbors.push({ node, slot, linkRank })
  }
  return { neighbors: neighbors.toSorted(byWorth(index)), isCut }
}

function byWorth(index: VaultIndex) {
  const { importances, createdAt } = index.parts.facts.arrays
  const { keys } = index.parts.nodes
  return (a: Neighbor, b: Neighbor): number =>
    (importances[b.slot] as number) - (importances[a.slot] as number) ||
    (createdAt[b.slot] as number) - (createdAt[a.slot] as number) ||
    compareKeys(keys, a.node, b.node)
}

/** Compares ids rather than node numbers, because the numbers differ between servers. */
function compareKeys(keys: Uint32Array, a: number, b: number): number {
  for (let word = 0; word < 4; word++) {
    const difference = (keys[a * 4 + word] as number) - (keys[b * 4 + word] as number)
    if (difference !== 0) return difference
  }
  return 0
}

interface LinkBounds {
  maxLinks: number
  /** Default: links of all relations. */
  relationTypes?: readonly RelationType[] | undefined
  /** Other nodes whose links with these are included. */
  otherIds?: readonly string[] | undefined
}

/**
 * Links among these nodes, and between them and the others: first the links by which nodes were reached, then node by node.
 * Older links between hubs may be missing; `isCut` is true then. Unknown ids have no links.
 */
export function linksAmong(
  index: VaultIndex,
  nodes: readonly Pick<WalkedNode, 'id' | 'via'>[],
  { maxLinks, relationTypes: wanted, otherIds = [] }: LinkBounds,
): { links: Triple[]; isCut: boolean } {
  const found = new Map<string, Triple>()
  const add = (sourceId: string, targetId: string, relationType: RelationType) =>
    found.set(`${sourceId} ${targetId} ${relationType}`, { sourceId, targetId, relationType })
  for (const { id, via } of nodes) {
    if (via?.isLeaving === true) add(via.from.id, id, via.relationType)
    if (via?.isLeaving === false) add(id, via.from.id, via.relationType)
  }
  let isCut = false
  const { links, relationNames } = index.parts
  const isWanted = relationNames.map((name) => rankOf(name, wanted) >= 0)
  const ids = nodes.map(({ id }) => id)
  const idOf = byNode(index, [...ids, ...otherIds])
  for (const [node, id] of byNode(index, ids)) {
    const left = [maxLinksFollowed, maxLinksFollowed]
    links.forEachLink(node, (other, relation, isLeaving) => {
      if (isWanted[relation] !== true) return true
      const way = isLeaving ? 0 : 1
      isCut ||= left[way] === 0
      if (left[way] === 0) return false
      left[way] = (left[way] as number) - 1
      const [otherId, relationType] = [idOf.get(other), relationNames[relation] as RelationType]
      if (otherId !== undefined && isLeaving) add(id, otherId, relationType)
      if (otherId !== undefined && !isLeaving) add(otherId, id, relationType)
      return found.size <= maxLinks
    })
  }
  return { links: [...found.values()].slice(0, maxLinks), isCut: isCut || found.size > maxLinks }
}

const byNode = (index: VaultIndex, ids: readonly string[]): Map<number, string> =>
  new Map(
    ids.flatMap((id) => {
      const slot = index.slotOf(id)
      return slot < 0 ? [] : [[index.parts.slotNodes[slot] as number, id] as const]
    }),
  )
