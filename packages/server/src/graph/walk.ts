import { relationTypes, type RelationType } from '../links/relation-types.ts'
import type { NodeType, Triple } from '../links/store.ts'
import { livenessTest, type SlotTest } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'

/**
 * Breadth first over the links of a vault's index, in a fixed order and within fixed bounds. The index has both ends of
 * each link in memory and knows what is live; by queries each hop would read all links of a hub.
 */

export interface WalkedNode {
  type: NodeType
  id: string
  hop: number
  /** Links that leave and reach it, those with nodes that are not live included. */
  degree: number
  /** The link by which it was reached; undefined for the nodes that the walk begins at. */
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
  /** Left out: links of all relations are followed. */
  relationTypes?: readonly RelationType[] | undefined
  /** Nodes that may be walked to. */
  passes: SlotTest
}

export interface Walk {
  /** In the order in which they were reached. */
  nodes: WalkedNode[]
  /** Whether there was more within these hops than the bounds allow. */
  isCut: boolean
}

/** Among the nodes of one answer. */
export const maxEdges = 2_000

/** What may be walked to: neither archived, trashed, expired nor superseded. No slot (-1) is. */
export const livenessNow = (index: VaultIndex, now: number): SlotTest =>
  livenessTest(index, { kinds: [], includeArchived: false, asOf: now, isRetrospective: false })

/** Links followed from a node each way, the newest: with more it is a hub, which says little about each of them. */
const maxLinksFollowed = 256
/** Of all nodes of a hop together, each way; no node gets fewer than 8. Keeps a walk of 1,001 nodes under 50 ms. */
const maxLinksOfHop = 32_768
const leastLinksFollowed = 8

const linksEach = (nodes: number): number =>
  Math.max(leastLinksFollowed, Math.min(maxLinksFollowed, Math.floor(maxLinksOfHop / nodes)))

/** A node reached by a link, before anything is made of it: a hop may meet 100,000. */
interface Neighbour {
  node: number
  slot: number
  /** Place of the link's relation among all relations, those of links that reach after those of links that leave. */
  linkRank: number
}

interface Place {
  walked: WalkedNode
  node: number
}

/**
 * The nodes within so many hops of those it begins at, which are not put to the test. Of one node's neighbours the more
 * important come first, then the newer; the nodes of a hop take turns, so that a hub does not push out the neighbours of
 * the others.
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
      const near = neighboursOf(index, node, { ranks, mostLinks: linksEach(frontier.length), passes: bounds.passes })
      isCut ||= near.isCut
      return near.neighbours
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

/** The first of each list, then the second of each, and so on, each with the place of its list. */
function* inTurns<T>(lists: readonly T[][]): Generator<[list: number, item: T]> {
  const longest = lists.reduce((length, list) => Math.max(length, list.length), 0)
  for (let turn = 0; turn < longest; turn++)
    for (const [list, items] of lists.entries()) if (turn < items.length) yield [list, items[turn] as T]
}

/** Best first. Several links to one node are one neighbour, by the link of the least rank. */
function neighboursOf(
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
  const neighbours: Neighbour[] = []
  for (const [node, linkRank] of best) {
    const slot = index.slotOfNode(node)
    if (slot >= 0 && passes(slot)) neighbours.push({ node, slot, linkRank })
  }
  return { neighbours: neighbours.toSorted(byWorth(index)), isCut }
}

function byWorth(index: VaultIndex) {
  const { importances, createdAt } = index.parts.facts.arrays
  const { keys } = index.parts.nodes
  return (a: Neighbour, b: Neighbour): number =>
    (importances[b.slot] as number) - (importances[a.slot] as number) ||
    (createdAt[b.slot] as number) - (createdAt[a.slot] as number) ||
    compareKeys(keys, a.node, b.node)
}

/** Ids in their own order: numbers of nodes differ from one server to the next. */
function compareKeys(keys: Uint32Array, a: number, b: number): number {
  for (let word = 0; word < 4; word++) {
    const difference = (keys[a * 4 + word] as number) - (keys[b * 4 + word] as number)
    if (difference !== 0) return difference
  }
  return 0
}

interface LinkBounds {
  maxLinks: number
  /** Left out: links of all relations. */
  relationTypes?: readonly RelationType[] | undefined
  /** Where links may lead to beside the nodes themselves. */
  otherIds?: readonly string[] | undefined
}

/**
 * Links among these nodes, and from and to the others: first those by which they were reached, then node by node. Of the
 * links among hubs older ones may be missing: `isCut` then. Ids that are unknown have none.
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
