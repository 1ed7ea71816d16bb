import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { findLinks } from '../links/graph-store.ts'
import type { Triple } from '../links/store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { describeLink, type LinkRecord } from './link.ts'
import { describeNodes, memoryNodeFields, nodeFields, type DescribedNode } from './nodes.ts'
import type { WalkedNode } from './walk.ts'

export interface ShownNode extends DescribedNode {
  hop: number
  degree: number
}

/** Titles of nodes, and the links among them. Leaves out records archived or deleted after the index was read. */
export async function describeWalk(
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  walked: readonly WalkedNode[],
  among: readonly Triple[],
  isShown: (node: DescribedNode) => boolean,
): Promise<{ nodes: ShownNode[]; links: LinkRecord[] }> {
  const described = await describeNodes(db.read, vault, walked, { now: now() })
  const nodes = walked.flatMap(({ id, hop, degree }) => {
    const node = described.get(id)
    return node !== undefined && isShown(node) ? [{ ...node, hop, degree }] : []
  })
  const shown = new Set(nodes.map(({ id }) => id))
  const links = await findLinks(db.read, vault, among)
  return {
    nodes,
    links: links.filter((link) => shown.has(link.sourceId) && shown.has(link.targetId)).map(describeLink),
  }
}

/** A node as people see it in the graph. */
export const graphNode = z
  .looseObject({
    ...nodeFields,
    ...memoryNodeFields,
    hop: z.int().describe('Distance in links from the requested node; 0 for the best connected nodes.'),
    degree: z.int().describe('Number of links.'),
    live: z.boolean().describe('False if it is archived, trashed, expired or superseded.'),
    createdAt: fields.timestamp.describe('When it was stored.'),
  })
  .meta({ id: 'GraphNode' })

export const exampleNode = (id: string, title: string, hop: number) => ({
  id,
  type: 'memory' as const,
  title,
  memoryType: 'preference' as const,
  importance: 4,
  hop,
  degree: 1,
  live: true,
  createdAt: '2026-11-21T09:00:00.000Z',
})

export const describeGraphNode = ({ isLive, createdAt, entities: _about, ...node }: ShownNode) => ({
  ...node,
  live: isLive,
  createdAt: isoTime(createdAt),
})
