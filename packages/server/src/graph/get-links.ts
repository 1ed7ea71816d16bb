import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { exampleLink, relationFilter } from './link.ts'
import { exampleNodeLink, nodeLink, readNodeLinks } from './node-links.ts'
import { nodeType, requireNodes } from './nodes.ts'

export const getLinks = operation({
  name: 'get-links',
  for: { agent: { toolset: 'graph', scopes: ['read'] }, person: 'GET /api/links' },
  vault: 'resolved',
  summary: 'List the links of a note or memory, newest first.',
  effect: 'read',
  outdatedBy: ['links', 'notes', 'memories', 'tasks'],
  about: ({ nodeId }) => refs('node', nodeId),
  alias: 'nodeId',
  input: z.object({
    nodeType: nodeType.describe('Type of the node.'),
    nodeId: z.uuid().describe('Id of the note or memory.'),
    direction: z
      .enum(['both', 'outgoing', 'incoming'])
      .default('both')
      .describe('Links that leave the node, that reach it, or both.'),
    relationTypes: relationFilter,
    limit: fields.limit,
    offset: fields.offset,
    ...fields.inVault,
  }),
  output: z.looseObject({ links: z.array(nodeLink), ...page }),
  examples: {
    input: { nodeType: 'memory', nodeId: exampleLink.sourceId },
    output: {
      links: [exampleNodeLink],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ nodeType: type, nodeId, ...query }, ctx) {
    await requireNodes(ctx.db.read, ctx.vault, [{ type, id: nodeId }])
    const { links, total } = await readNodeLinks(ctx, nodeId, query)
    return { links, ...pageOf(query, total) }
  },
})
