import { z } from 'zod'
import { listLinks, type Direction } from '../links/graph-store.ts'
import type { RelationType } from '../links/relation-types.ts'
import type { StoredLink } from '../links/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { describeLink, exampleLink, linkRecord } from './link.ts'
import { describeNodes, nodeFields, type NodeRef } from './nodes.ts'

/** The links of a node, each with the node at its other end. */

export const nodeLink = linkRecord
  .extend({
    direction: z.enum(['outgoing', 'incoming']).describe('Whether the link leaves the requested node or reaches it.'),
    other: z
      .looseObject({
        ...nodeFields,
        live: z.boolean().describe('False if it is archived, trashed, expired or superseded.'),
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

/** A page of a node's links, newest first, and the total. Empty if the node doesn't exist. */
export async function readNodeLinks(
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  nodeId: string,
  query: NodeLinks,
): Promise<{ links: z.input<typeof nodeLink>[]; total: number }> {
  const { links, total } = await listLinks(db.read, vault, { nodeId, ...query }, query)
  const others = new Map(links.map((link) => [link.linkId, otherEnd(link, nodeId)]))
  const nodes = await describeNodes(db.read, vault, [...others.values()], { now: now() })
  return {
    // A node can be deleted, with its links, between the two queries.
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
