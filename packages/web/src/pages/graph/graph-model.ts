import type { GraphNode } from '@holdfast/client/dashboard'
import type { OutputOf } from '../../api/call.ts'
import type { Relation } from '../../components/records/relations.ts'

export type GraphEdge = OutputOf<'read-graph'>['edges'][number]

/** Combines the server's answers so far into the graph to show. */

/** One answer. If several answers have the same node, the first one counts. */
export interface GraphPart {
  nodes: readonly GraphNode[]
  edges: readonly GraphEdge[]
}

export interface Shown {
  nodes: ReadonlyMap<string, GraphNode>
  /** Only links with both ends among the nodes. */
  edges: ReadonlyMap<string, GraphEdge>
  /** The number of nodes left out because of the limit. */
  leftOut: number
}

/** More nodes are unreadable and slow. */
export const maxShown = 2_000

export interface Without {
  nodes: ReadonlySet<string>
  edges: ReadonlySet<string>
}

export function compose(parts: readonly GraphPart[], without: Without): Shown {
  const nodes = new Map<string, GraphNode>()
  const all = new Set<string>()
  for (const part of parts)
    for (const node of part.nodes) {
      if (without.nodes.has(node.id)) continue
      all.add(node.id)
      if (nodes.size < maxShown && !nodes.has(node.id)) nodes.set(node.id, node)
    }
  const edges = new Map<string, GraphEdge>()
  for (const part of parts)
    for (const edge of part.edges)
      if (!without.edges.has(edge.linkId) && nodes.has(edge.sourceId) && nodes.has(edge.targetId))
        edges.set(edge.linkId, edge)
  return { nodes, edges, leftOut: all.size - nodes.size }
}

/** The nodes created by a time (in milliseconds since 1970) and the links between them. */
export function storedBy({ nodes, edges, leftOut }: Shown, atMs: number): Shown {
  const there = new Map([...nodes].filter(([, { createdAt }]) => Date.parse(createdAt) <= atMs))
  const among = [...edges].filter(([, { sourceId, targetId }]) => there.has(sourceId) && there.has(targetId))
  return { nodes: there, edges: new Map(among), leftOut }
}

/** The ids of the nodes linked to each node. */
export function neighborsIn({ nodes, edges }: Shown): ReadonlyMap<string, ReadonlySet<string>> {
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
export const byDegree = ({ nodes }: Shown): GraphNode[] =>
  [...nodes.values()].toSorted(
    (a, b) => b.degree - a.degree || a.title.localeCompare(b.title) || (a.id < b.id ? -1 : 1),
  )

export const nameOf = ({ title }: Pick<GraphNode, 'title'>) => (title.trim() === '' ? 'Untitled' : title)

/** The kind of a node: `note`, or the type of the memory. */
export const kindOf = ({ type, memoryType }: Pick<GraphNode, 'type' | 'memoryType'>): NodeKind =>
  type === 'note' ? 'note' : (memoryType ?? 'fact')

export type NodeKind = 'note' | NonNullable<GraphNode['memoryType']>

export interface TableRow {
  key: string
  source: GraphNode
  /** Undefined for a node without links in this graph. */
  edge: GraphEdge | undefined
  target: GraphNode | undefined
}

export const columns = ['source', 'relation', 'target'] as const
export type Column = (typeof columns)[number]

/** The rows of the table: links, then nodes without any. */
export function rowsOf({ nodes, edges }: Shown): TableRow[] {
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
export function sortRows(
  rows: readonly TableRow[],
  column: Column,
  isDescending: boolean,
  relationText: (relation: Relation) => string,
): TableRow[] {
  const textOf = ({ source, edge, target }: TableRow) =>
    ({
      source: nameOf(source),
      relation: edge && relationText(edge.relationType),
      target: target && nameOf(target),
    })[column]
  return rows.toSorted((a, b) => {
    const [one, other] = [textOf(a), textOf(b)]
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
    return one.localeCompare(other) * (isDescending ? -1 : 1) || (a.key < b.key ? -1 : 1)
  })
}
