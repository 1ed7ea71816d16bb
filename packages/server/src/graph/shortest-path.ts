import type { RelationType } from '../links/relation-types.ts'
import type { SlotTest } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { refOf, type WalkedNode } from './walk.ts'

/** For both searches together; takes about 30 ms. Most searches in a vault of 100,000 nodes with 500,000 links need fewer. */
const maxLinksWalked = 400_000

interface PathBounds {
  /** Nodes that the path may go through. */
  passes: SlotTest
  relationTypes?: readonly RelationType[] | undefined
  maxLinks?: number
}

interface Path {
  /** From one end to the other; empty if no path was found. */
  nodes: WalkedNode[]
  /** Whether the search stopped at its limit, so a path, or a shorter one, may exist. */
  isCut: boolean
}

/** The node and link by which a node was reached. */
interface Reached {
  from: number
  relation: number
  isLeaving: boolean
  depth: number
}

interface Side {
  reached: Map<number, Reached | undefined>
  frontier: number[]
  depth: number
}

/**
 * A shortest path between two nodes, following links in both directions. `passes` doesn't apply to the two ends. Searches from
 * both ends and always extends the smaller side by one level, so a hub is expanded only if the path goes through it.
 */
export function shortestPath(
  index: VaultIndex,
  fromId: string,
  toId: string,
  { passes, relationTypes, maxLinks = maxLinksWalked }: PathBounds,
): Path {
  const [from, to] = [nodeOf(index, fromId), nodeOf(index, toId)]
  if (from < 0 || to < 0) return { nodes: [], isCut: false }
  if (from === to) return { nodes: describePath(index, [{ node: from, by: undefined }]), isCut: false }
  const sides = [sideAt(from), sideAt(to)] as const
  const isFollowed = index.parts.relationNames.map((name) => relationTypes?.includes(name as RelationType) ?? true)
  let left = maxLinks
  while (sides.every(({ frontier }) => frontier.length > 0)) {
    const [near, far] = sides[0].frontier.length <= sides[1].frontier.length ? sides : ([sides[1], sides[0]] as const)
    const level = widen(index, near, far, { passes, isFollowed, maxLinks: left })
    left -= level.links
    const nodes = level.meeting === undefined ? [] : describePath(index, joinAt(level.meeting, sides))
    if (nodes.length > 0 || left <= 0) return { nodes, isCut: left <= 0 }
  }
  return { nodes: [], isCut: false }
}

function nodeOf(index: VaultIndex, id: string): number {
  const slot = index.slotOf(id)
  return slot < 0 ? -1 : (index.parts.slotNodes[slot] as number)
}

const sideAt = (node: number): Side => ({ reached: new Map([[node, undefined]]), frontier: [node], depth: 0 })

interface Bounds {
  passes: SlotTest
  isFollowed: readonly boolean[]
  maxLinks: number
}

/** Extends a side by one level. If it meets the other side, returns the meeting node of the shortest path. */
function widen(index: VaultIndex, near: Side, far: Side, { passes, isFollowed, maxLinks }: Bounds) {
  const next: number[] = []
  let links = 0
  let meeting: { node: number; depth: number } | undefined
  near.depth++
  for (const node of near.frontier) {
    if (links >= maxLinks) break
    index.parts.links.forEachLink(node, (other, relation, isLeaving) => {
      links++
      if (isFollowed[relation] !== true || near.reached.has(other)) return links < maxLinks
      const isMet = far.reached.has(other)
      const slot = index.slotOfNode(other)
      if (!isMet && (slot < 0 || !passes(slot))) return links < maxLinks
      near.reached.set(other, { from: node, relation, isLeaving, depth: near.depth })
      next.push(other)
      const depth = isMet ? (far.reached.get(other)?.depth ?? 0) : Infinity
      if (depth < (meeting?.depth ?? Infinity)) meeting = { node: other, depth }
      return links < maxLinks
    })
  }
  near.frontier = next
  return { links, meeting: meeting?.node }
}

/** A node of the path, and the link from the node before it. */
interface Stop {
  node: number
  by: Pick<Reached, 'relation' | 'isLeaving'> | undefined
}

function joinAt(meeting: number, [first, second]: readonly [Side, Side]): Stop[] {
  const stops: Stop[] = []
  for (let node = meeting; ;) {
    const by = first.reached.get(node)
    stops.unshift({ node, by })
    if (by === undefined) break
    node = by.from
  }
  // The second search went the other way.
  for (let by = second.reached.get(meeting); by !== undefined; by = second.reached.get(by.from))
    stops.push({ node: by.from, by: { relation: by.relation, isLeaving: !by.isLeaving } })
  return stops
}

function describePath(index: VaultIndex, stops: readonly Stop[]): WalkedNode[] {
  const { links, relationNames } = index.parts
  const nodes: WalkedNode[] = []
  for (const { node, by } of stops) {
    const from = nodes.at(-1)
    nodes.push({
      ...refOf(index, index.slotOfNode(node)),
      hop: nodes.length,
      degree: links.degreeOf(node),
      via:
        by === undefined || from === undefined
          ? undefined
          : { from, relationType: relationNames[by.relation] as RelationType, isLeaving: by.isLeaving },
    })
  }
  return nodes
}
