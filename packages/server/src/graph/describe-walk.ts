import type { z } from 'zod'
import { findLinks } from '../links/graph-store.ts'
import type { Triple } from '../links/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { describeEdge, type edgeRecord } from './link.ts'
import { describeNodes, type DescribedNode } from './nodes.ts'
import type { WalkedNode } from './walk.ts'

export interface ShownNode extends DescribedNode {
  hop: number
  degree: number
}

/** What nodes are called, and the links among them; what has been archived or purged since the index was read is left out. */
export async function describeWalk(
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  walked: readonly WalkedNode[],
  among: readonly Triple[],
  isShown: (node: DescribedNode) => boolean,
): Promise<{ nodes: ShownNode[]; edges: z.infer<typeof edgeRecord>[] }> {
  const described = await describeNodes(db.read, vault, walked, now())
  const nodes = walked.flatMap(({ id, hop, degree }) => {
    const node = described.get(id)
    return node !== undefined && isShown(node) ? [{ ...node, hop, degree }] : []
  })
  const shown = new Set(nodes.map(({ id }) => id))
  const links = await findLinks(db.read, vault, among)
  return {
    nodes,
    edges: links.filter((link) => shown.has(link.sourceId) && shown.has(link.targetId)).map(describeEdge),
  }
}
