import { z } from 'zod'
import { listLinks, type Direction } from '../links/graph-store.ts'
import type { RelationType } from '../links/relation-types.ts'
import type { StoredLink } from '../links/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { describeLink, exampleLink, linkRecord } from './link.ts'
import { describeNodes, nodeFields, type NodeRef } from './nodes.ts'

/** The links of one node, each with what lies at its other end. */

export const nodeLink = linkRecord
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

export const exampleNodeLink = {
  ...exampleLink,
  direction: 'outgoing' as const,
  other: { id: exampleLink.targetId, type: 'memory' as const, title: 'The user writes Go in Neovim.', live: true },
}

interface NodeLinks {
  direction: Direction
  relationTypes?: readonly RelationType[] | undefined
  limit: number
  offset: number
}

/** The page of a node's links, newest first, and how many there are. A node that is not there has none. */
export async function readNodeLinks(
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  nodeId: string,
  query: NodeLinks,
): Promise<{ links: z.input<typeof nodeLink>[]; total: number }> {
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
    total,
  }
}

const otherEnd = (link: StoredLink, nodeId: string): NodeRef =>
  link.sourceId === nodeId ? { type: link.targetType, id: link.targetId } : { type: link.sourceType, id: link.sourceId }
