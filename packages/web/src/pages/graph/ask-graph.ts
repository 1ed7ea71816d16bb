import type { GraphNode } from '@holdfast/client/dashboard'
import { call } from '../../api/call.ts'
import type { GraphPart, Shown } from './graph-model.ts'
import { aroundCount, type filterOf } from './graph-state.ts'

/** Questions by which a graph grows. */

interface Asking {
  vaultId: string
  filter: Partial<ReturnType<typeof filterOf>>
}

/** What is linked with a node, and how that hangs together with what is on the screen already. */
export async function askAround({ vaultId, filter }: Asking, node: GraphNode, shown: Shown) {
  const around = await call('read-graph', { vaultId, nodeId: node.id, depth: 1, limit: aroundCount, ...filter })
  const fresh = around.nodes.map(({ id }) => id).filter((id) => !shown.nodes.has(id))
  // Neither answer knows the links between what is new and what is there.
  const joining =
    fresh.length === 0
      ? []
      : (
          await call('find-links', {
            vaultId,
            ids: fresh,
            otherIds: [...shown.nodes.keys()],
            relations: filter.relations,
          })
        ).edges
  const part: GraphPart = { nodes: around.nodes, edges: [...around.edges, ...joining] }
  return { part, fresh: fresh.length, isCut: around.truncated }
}

export const askWay = ({ vaultId, filter }: Asking, sourceId: string, targetId: string) =>
  call('find-path', { vaultId, sourceId, targetId, ...filter })
