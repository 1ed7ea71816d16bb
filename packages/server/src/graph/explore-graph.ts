import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { degradedLegs, type SearchContext, searchVault } from '../search/search-vault.ts'
import { describeWalk, type ShownNode } from './describe-walk.ts'
import { edgeRecord, exampleEdge, withoutOrigin } from './link.ts'
import { memoryNodeFields, nodeFields, nodeNotFound, nodeType, nodeTypes, requireNode } from './nodes.ts'
import { linksAmong, livenessNow, maxEdges, walkGraph } from './walk.ts'

const score = z.number().optional().describe('How well it matches the query. Comparable only within one answer.')

const input = z.object({
  query: z.string().min(1).max(10_000).optional().describe('Start from the five best matches; 1 to 10,000 characters.'),
  nodeId: z.uuid().optional().describe('Start from this note or memory. The query is then ignored.'),
  nodeType: nodeType
    .optional()
    .describe('Type of nodeId; with a query, the type of nodes to start from. Default: either.'),
  maxHops: z.int().min(1).max(5).default(2).describe('Maximum distance in links, 1 to 5.'),
  maxNodes: z.int().min(1).max(200).default(50).describe('Maximum number of nodes, 1 to 200.'),
  ...fields.inVault,
})

type Input = z.output<typeof input>

const exampleEnds = [
  { id: exampleEdge.sourceId, type: 'memory' as const, title: 'The user prefers tabs over spaces in Go code.' },
  { id: exampleEdge.targetId, type: 'memory' as const, title: 'The user writes Go in Neovim.' },
]

const examplePreference = { memoryType: 'preference' as const, importance: 4 }

export const exploreGraph = operation({
  name: 'explore-graph',
  for: { agent: { toolset: 'graph', scopes: ['read'] } },
  vault: 'resolved',
  summary: 'Follow links over several hops from a note or memory, or from the results of a query.',
  effect: 'read',
  about: ({ nodeId }) => refs('node', nodeId),
  alias: 'nodeId',
  needs: [['query'], ['nodeId']],
  input,
  output: z.looseObject({
    entryPoints: z
      .array(z.looseObject({ ...nodeFields, score }))
      .describe('The nodes that the walk started from, best first.'),
    nodes: z
      .array(
        z.looseObject({
          ...nodeFields,
          ...memoryNodeFields,
          hop: z.int().describe('Distance in links from the nearest entry point.'),
          degree: z.int().describe('Total number of links.'),
          score,
        }),
      )
      .describe('Nearest first, including the entry points.'),
    edges: z.array(edgeRecord).describe(`Links among the nodes, at most 2,000.`),
    stats: z.looseObject({
      totalNodes: z.int(),
      totalEdges: z.int(),
      maxHopReached: z.int(),
      truncated: z.boolean().describe('Whether more nodes within maxHops were left out.'),
    }),
    degraded: degradedLegs,
  }),
  returns: ({ nodes }) => nodes.flatMap(({ type, id }) => refs(type, id)),
  examples: {
    input: { nodeId: exampleEdge.sourceId, maxHops: 2 },
    output: {
      entryPoints: exampleEnds.slice(0, 1),
      nodes: exampleEnds.map((node, hop) => ({ ...node, ...examplePreference, hop, degree: 1 })),
      edges: [exampleEdge],
      stats: { totalNodes: 2, totalEdges: 1, maxHopReached: 1, truncated: false },
      degraded: [],
    },
  },
  async run(request, ctx) {
    const { scores, degraded } = await findEntryPoints(request, ctx)
    const { walk, among } = await walkFrom(request, ctx, [...scores.keys()])
    const shown = await describeWalk(ctx, walk.nodes, among.links, ({ isLive }) => isLive)
    const nodes = shown.nodes.map((node) => withScore(node, scores.get(node.id)))
    const edges = shown.links.map(withoutOrigin)
    return {
      entryPoints: nodes.filter(({ hop }) => hop === 0).map(asEntryPoint),
      nodes,
      edges,
      stats: {
        totalNodes: nodes.length,
        totalEdges: edges.length,
        maxHopReached: nodes.at(-1)?.hop ?? 0,
        truncated: walk.isCut || among.isCut,
      },
      degraded,
    }
  },
})

const entryPointsOfQuery = 5
const hitsOfQuery = 20

/** Ids to start from, best first, with scores if a query found them. */
async function findEntryPoints({ query, nodeId, nodeType: type, maxNodes }: Input, ctx: SearchContext) {
  if (nodeId !== undefined) {
    await requireNode(ctx.db.read, ctx.vault, nodeId, type)
    return { scores: new Map([[nodeId, undefined]]), degraded: [] }
  }
  if (query === undefined) throw invalid({ query: 'required without nodeId' })
  const kinds = type === undefined ? nodeTypes : [type]
  const { hits, degraded } = await searchVault(ctx, { query, kinds, topK: hitsOfQuery, isStrict: true })
  // Hits found only through links are left to the walk, so hops are counted from real matches.
  const fitting = hits.filter(({ matchSources }) => matchSources.some((source) => source !== 'graph'))
  const begin = fitting.slice(0, Math.min(entryPointsOfQuery, maxNodes))
  return { scores: new Map(begin.map((hit) => [hit.itemId, hit.score])), degraded }
}

const walkFrom = (
  { nodeId, nodeType: type, maxHops, maxNodes }: Input,
  ctx: Pick<VaultContext, 'vault' | 'indexes' | 'now'>,
  ids: string[],
) =>
  ctx.indexes.read(ctx.vault, (index) => {
    const passes = livenessNow(index, ctx.now())
    const live = ids.filter((id) => passes(index.slotOf(id)))
    if (nodeId !== undefined && live.length === 0) throw nodeNotFound(type)
    const walk = walkGraph(index, live, { maxHops, maxNodes, passes })
    return { walk, among: linksAmong(index, walk.nodes, { maxLinks: maxEdges }) }
  })

const withScore = (
  { isLive: _live, createdAt: _at, entities: _about, ...node }: ShownNode,
  fit: number | undefined,
) => ({
  ...node,
  ...(fit !== undefined && { score: fit }),
})

const asEntryPoint = ({ id, type, title, score: fit }: ReturnType<typeof withScore>) => ({
  id,
  type,
  title,
  ...(fit !== undefined && { score: fit }),
})
