import type { GraphEntity, GraphNode } from '@holdfast/client/dashboard'
import type { OutputOf } from '../../api/call.ts'
import { titleOfRelation, type Relation } from '../../components/records/relations.ts'

/** Combines the server's answers so far into the graph to show. */

export type GraphEdge = OutputOf<'read-graph'>['edges'][number]

/** What several records are about, as a node of its own. */
export interface EntityNode extends Pick<GraphNode, 'id' | 'title' | 'live' | 'createdAt' | 'degree'> {
  type: 'entity'
  memoryType?: undefined
  importance?: undefined
}

export type MapNode = GraphNode | EntityNode

/** From a record to an entity that it is about. */
interface AboutEdge {
  linkId: string
  sourceId: string
  targetId: string
  relationType: 'about'
  label: null
}

export type MapEdge = GraphEdge | AboutEdge
export type MapRelation = Relation | 'about'

export const isLink = (edge: MapEdge): edge is GraphEdge => edge.relationType !== 'about'

export const isEntity = (node: MapNode): node is EntityNode => node.type === 'entity'

export const titleOfMapRelation = (relation: MapRelation) =>
  relation === 'about' ? 'about' : titleOfRelation(relation)

/** One answer. If several answers have the same node, the first one counts. */
export interface GraphPart {
  nodes: readonly GraphNode[]
  edges: readonly GraphEdge[]
  entities?: readonly GraphEntity[] | undefined
}

export interface Shown {
  nodes: ReadonlyMap<string, MapNode>
  /** Only links with both ends among the nodes. */
  edges: ReadonlyMap<string, MapEdge>
  /** The number of nodes left out because of the limit. */
  leftOut: number
  /** The number of nodes without links here, hidden or not. */
  unlinked: number
  /** The number of records in the answers so far, hidden or not. */
  loaded: number
}

/** More nodes are unreadable and slow. */
export const maxShown = 2_000
/** More entities are unreadable, too. */
export const maxEntities = 300

export interface Without {
  nodes: ReadonlySet<string>
  edges: ReadonlySet<string>
}

export interface Wanted {
  hasEntities: boolean
  hasUnlinked: boolean
  /** Shown even without links: what the person chose. */
  kept: ReadonlySet<string>
}

export function compose(parts: readonly GraphPart[], without: Without, wanted: Wanted): Shown {
  const nodes = new Map<string, MapNode>()
  const all = new Set<string>()
  const loaded = new Set<string>()
  for (const part of parts)
    for (const node of part.nodes) {
      loaded.add(node.id)
      if (without.nodes.has(node.id)) continue
      all.add(node.id)
      if (nodes.size < maxShown && !nodes.has(node.id)) nodes.set(node.id, node)
    }
  const leftOut = all.size - nodes.size
  const edges = new Map<string, MapEdge>()
  for (const part of parts)
    for (const edge of part.edges)
      if (!without.edges.has(edge.linkId) && nodes.has(edge.sourceId) && nodes.has(edge.targetId))
        edges.set(edge.linkId, edge)
  if (wanted.hasEntities) addEntities(parts, without, nodes, edges)
  const unlinked = unlinkedIn(nodes, edges).filter((id) => !wanted.kept.has(id))
  if (!wanted.hasUnlinked) for (const id of unlinked) nodes.delete(id)
  return { nodes, edges, leftOut, unlinked: unlinked.length, loaded: loaded.size }
}

/** Adds what the nodes are about: those that connect most nodes first. */
function addEntities(
  parts: readonly GraphPart[],
  without: Without,
  nodes: Map<string, MapNode>,
  edges: Map<string, MapEdge>,
): void {
  const found = new Map<string, { entity: GraphEntity; nodeIds: Set<string> }>()
  for (const { entities = [] } of parts)
    for (const entity of entities) {
      const known = found.get(entity.id) ?? { entity, nodeIds: new Set() }
      for (const id of entity.nodeIds) if (nodes.has(id)) known.nodeIds.add(id)
      found.set(entity.id, known)
    }
  const shown = [...found.values()]
    .filter(({ entity, nodeIds }) => nodeIds.size > 0 && !without.nodes.has(idOfEntity(entity)))
    .toSorted((a, b) => b.nodeIds.size - a.nodeIds.size || b.entity.count - a.entity.count)
    .slice(0, maxEntities)
  for (const { entity, nodeIds } of shown) {
    const times = Array.from(nodeIds, (id) => nodes.get(id)?.createdAt ?? '').toSorted()
    const entityId = idOfEntity(entity)
    nodes.set(entityId, {
      id: entityId,
      type: 'entity',
      title: entity.name,
      live: true,
      createdAt: times[0] ?? '',
      degree: entity.count,
    })
    for (const id of nodeIds) {
      const linkId = `${id} ${entityId}`
      edges.set(linkId, { linkId, sourceId: id, targetId: entityId, relationType: 'about', label: null })
    }
  }
}

/** The letter keeps a URL from reading it as a number. */
const idOfEntity = ({ id }: GraphEntity) => `e${id}`

function unlinkedIn(nodes: ReadonlyMap<string, MapNode>, edges: ReadonlyMap<string, MapEdge>): string[] {
  const linked = new Set<string>()
  for (const { sourceId, targetId } of edges.values()) linked.add(sourceId).add(targetId)
  return [...nodes.keys()].filter((id) => !linked.has(id))
}

/** The entities that two nodes share. */
export function sharedEntities(shown: Shown, id: string, otherId: string): EntityNode[] {
  const neighbors = neighborsIn(shown)
  const others = neighbors.get(otherId)
  return [...(neighbors.get(id) ?? [])].flatMap((entityId) => {
    const node = shown.nodes.get(entityId)
    return node !== undefined && isEntity(node) && others?.has(entityId) === true ? [node] : []
  })
}

/** The nodes created by a time (in milliseconds since 1970) and the links between them. */
export function storedBy({ nodes, edges, ...shown }: Shown, atMs: number): Shown {
  const there = new Map([...nodes].filter(([, { createdAt }]) => Date.parse(createdAt) <= atMs))
  const among = [...edges].filter(([, { sourceId, targetId }]) => there.has(sourceId) && there.has(targetId))
  return { ...shown, nodes: there, edges: new Map(among) }
}

/** The ids of the nodes linked to each node. */
export function neighborsIn({
  nodes,
  edges,
}: Pick<Shown, 'nodes' | 'edges'>): ReadonlyMap<string, ReadonlySet<string>> {
  const neighbors = new Map(Array.from(nodes.keys(), (id) => [id, new Set<string>()]))
  for (const { sourceId, targetId } of edges.values()) {
    neighbors.get(sourceId)?.add(targetId)
    neighbors.get(targetId)?.add(sourceId)
  }
  return neighbors
}

/** The nodes linked only to this one. Collapsing it hides them. */
export function leavesOf(shown: Shown, id: string): string[] {
  const neighbors = neighborsIn(shown)
  return [...(neighbors.get(id) ?? [])].filter((other) => neighbors.get(other)?.size === 1)
}

/** The keyboard order of the nodes: most links first, then by name. */
export const byDegree = ({ nodes }: Shown): MapNode[] =>
  [...nodes.values()].toSorted(
    (a, b) => b.degree - a.degree || a.title.localeCompare(b.title) || (a.id < b.id ? -1 : 1),
  )

export const nameOf = ({ title }: Pick<GraphNode, 'title'>) => (title.trim() === '' ? 'Untitled' : title)

/** The kind of a node: `note`, `entity`, or the type of the memory. */
export const kindOf = ({ type, memoryType }: Pick<MapNode, 'type' | 'memoryType'>): NodeKind =>
  type === 'memory' ? (memoryType ?? 'fact') : type

export type NodeKind = 'note' | 'entity' | NonNullable<GraphNode['memoryType']>

export interface TableRow {
  key: string
  source: MapNode
  /** Undefined for a node without links in this graph. */
  edge: MapEdge | undefined
  target: MapNode | undefined
}

export const columns = ['source', 'relation', 'target'] as const
export type Column = (typeof columns)[number]

/** The rows of the table: links, then nodes without any. */
export function rowsOf({ nodes, edges }: Pick<Shown, 'nodes' | 'edges'>): TableRow[] {
  const linked = new Set<string>()
  const rows: TableRow[] = []
  for (const edge of edges.values()) {
    const [source, target] = [nodes.get(edge.sourceId), nodes.get(edge.targetId)]
    if (source === undefined || target === undefined) continue
    linked.add(source.id).add(target.id)
    rows.push({ key: edge.linkId, source, edge, target })
  }
  for (const node of nodes.values())
    if (!linked.has(node.id)) rows.push({ key: node.id, source: node, edge: undefined, target: undefined })
  return rows
}

/** Rows with an empty value in the column come last in both directions. */
export function sortRows(rows: readonly TableRow[], column: Column, isDescending: boolean): TableRow[] {
  const textOf = ({ source, edge, target }: TableRow) =>
    ({
      source: nameOf(source),
      relation: edge && titleOfMapRelation(edge.relationType),
      target: target && nameOf(target),
    })[column]
  return rows.toSorted((a, b) => {
    const [one, other] = [textOf(a), textOf(b)]
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
    return one.localeCompare(other) * (isDescending ? -1 : 1) || (a.key < b.key ? -1 : 1)
  })
}
