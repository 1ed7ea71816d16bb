import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../operation/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { exampleLink } from './link.ts'
import { exampleNodeLink, nodeLink, readNodeLinks } from './node-links.ts'
import { requireNode } from './nodes.ts'

export const browseLinks = operation({
  name: 'browse-links',
  for: { person: 'GET /api/links' },
  vault: 'required',
  summary: 'The links of a note or memory, the newest first, each with what lies at its other end.',
  effect: 'read',
  outdatedBy: ['links', 'notes', 'memories', 'tasks'],
  about: ({ nodeId }) => refs('node', nodeId),
  input: z.object({
    ...fields.ownVault,
    nodeId: z.uuid().describe('Id of the note or memory.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.looseObject({ links: z.array(nodeLink), ...page }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', nodeId: exampleLink.sourceId },
    output: { links: [exampleNodeLink], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ nodeId, limit, offset }, ctx) {
    await requireNode(ctx.db.read, ctx.vault, nodeId, undefined)
    const { links, total } = await readNodeLinks(ctx, nodeId, { direction: 'both', limit, offset })
    return { links, ...pageOf({ limit, offset }, total) }
  },
})
