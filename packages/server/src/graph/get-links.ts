import { z } from 'zod'
import { listLinks } from '../links/graph-store.ts'
import type { NodeType, StoredLink } from '../links/store.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { describeLink, exampleLink, linkRecord, relationFilter } from './link.ts'
import { describeNodes, nodeFields, nodeType, requireNodes } from './nodes.ts'

const nodeLink = linkRecord
  .extend({
    direction: z.enum(['outgoing', 'incoming']).describe('Whether it leaves the node that was asked for.'),
    other: z
      .looseObject({
        ...nodeFields,
        live: z.boolean().describe('False where it is archived, trashed, expired or superseded.'),
      })
      .describe('The node at its other end.'),
  })
  .meta({ id: 'NodeLink' })

export const getLinks = operation({
  name: 'get-links',
  scopes: ['read'],
  vault: 'resolved',
  summary: 'List the links of a note or memory, newest first.',
  effect: 'read',
  alias: 'nodeId',
  input: z.object({
    nodeType: nodeType.describe('What the node is.'),
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
      links: [
        {
          ...exampleLink,
          direction: 'outgoing',
          other: { id: exampleLink.targetId, type: 'memory', title: 'The user writes Go in Neovim.', live: true },
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ nodeType: type, nodeId, ...query }, { db, vault, now }) {
    await requireNodes(db.read, vault, [{ type, id: nodeId }])
    const { links, total } = await listLinks(db.read, vault, { nodeId, ...query }, query)
    const others = new Map(links.map((link) => [link.linkId, otherEnd(link, nodeId)]))
    const nodes = await describeNodes(db.read, vault, [...others.values()], now())
    return {
      // A node can be purged, with its links, between the two queries.
      links: links.flatMap((link) => {
        const node = nodes.get(others.get(link.linkId)?.id ?? '')
        if (node === undefined) return []
        const { id, title, isLive: live } = node
        const direction = link.sourceId === nodeId ? ('outgoing' as const) : ('incoming' as const)
        return [{ ...describeLink(link), direction, other: { id, type: node.type, title, live } }]
      }),
      ...pageOf(query, total),
    }
  },
})

const otherEnd = (link: StoredLink, nodeId: string): { type: NodeType; id: string } =>
  link.sourceId === nodeId ? { type: link.targetType, id: link.targetId } : { type: link.sourceType, id: link.sourceId }
