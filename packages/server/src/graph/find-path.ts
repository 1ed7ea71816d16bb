import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { describeGraphNode, describeWalk, exampleNode, graphNode } from './describe-walk.ts'
import { filterFields, nodeTest, relationsOf } from './graph-filter.ts'
import { linkRecord, exampleLink } from './link.ts'
import { requireNode } from './nodes.ts'
import { shortestPath } from './shortest-path.ts'
import { linksAmong, maxEdges } from './walk.ts'

export const findPath = operation({
  name: 'find-path',
  for: { person: 'GET /api/graph/path' },
  vault: 'required',
  summary: 'Find a shortest path between two nodes, following links in both directions.',
  effect: 'read',
  input: z.object({
    ...ownVault,
    sourceId: z.uuid().describe('The note or memory to start from.'),
    targetId: z.uuid().describe('The note or memory to reach.'),
    ...filterFields,
  }),
  output: z.looseObject({
    nodes: z.array(graphNode).describe('The path, with both ends; empty if there is none.'),
    edges: z.array(linkRecord).describe('Links among them.'),
    truncated: z.boolean().describe('Whether the search stopped at its limit; there may be a shorter path.'),
  }),
  examples: {
    input: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      sourceId: exampleLink.sourceId,
      targetId: exampleLink.targetId,
    },
    output: {
      nodes: [
        exampleNode(exampleLink.sourceId, 'The user prefers tabs over spaces in Go code.', 0),
        exampleNode(exampleLink.targetId, 'The user writes Go in Neovim.', 1),
      ],
      edges: [exampleLink],
      truncated: false,
    },
  },
  async run({ sourceId, targetId, ...filter }, ctx) {
    for (const id of [sourceId, targetId]) await requireNode(ctx.db.read, ctx.vault, id, undefined)
    const relationTypes = relationsOf(filter)
    const { path, among } = await ctx.indexes.read(ctx.vault, (index) => {
      const found = shortestPath(index, sourceId, targetId, { passes: nodeTest(index, filter, ctx), relationTypes })
      return { path: found, among: linksAmong(index, found.nodes, { maxLinks: maxEdges, relationTypes }) }
    })
    const { nodes, links } = await describeWalk(ctx, path.nodes, among.links, () => true)
    return {
      nodes: nodes.map(describeGraphNode),
      edges: links,
      truncated: path.isCut,
    }
  },
})
