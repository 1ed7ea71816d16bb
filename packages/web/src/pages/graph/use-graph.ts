import type { GraphNode } from '@holdfast/client/dashboard'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type OutputOf, call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { compose, leavesOf, maxShown, nameOf, type GraphPart, type Shown } from './graph-model.ts'
import { filterOf, type GraphState, aroundCount } from './graph-state.ts'

/** What somebody has made of the graph since it began. */
interface Growth {
  /** By the node that was expanded. */
  expansions: ReadonlyMap<string, GraphPart>
  /** Ways that were looked for, and what was linked by hand. */
  more: readonly GraphPart[]
  hidden: ReadonlySet<string>
  removedLinks: ReadonlySet<string>
  pinned: ReadonlySet<string>
  /** The nodes of the way that was looked for last. */
  path: readonly GraphNode[]
}

const nothing: Growth = {
  expansions: new Map(),
  more: [],
  hidden: new Set(),
  removedLinks: new Set(),
  pinned: new Set(),
  path: [],
}

const withIds = (ids: ReadonlySet<string>, more: Iterable<string>) => new Set([...ids, ...more])

function withoutIds(ids: ReadonlySet<string>, fewer: readonly string[]): ReadonlySet<string> {
  const left = new Set(ids)
  for (const id of fewer) left.delete(id)
  return left
}

/** What linking changes beside the graph itself. */
const linkReads = ['read-graph', 'get-links', 'list-memories', 'list-notes', 'read-note'] as const

/** The graph as it began, and all that can be done with it. */
export function useGraph(vaultId: string, state: GraphState, base: OutputOf<'read-graph'>) {
  const client = useQueryClient()
  const [growth, setGrowth] = useState(nothing)
  const change = (changes: Partial<Growth>) => setGrowth((before) => ({ ...before, ...changes }))
  const shown = useMemo(() => composeGrowth(base, growth), [base, growth])
  const asking = { vaultId, filter: filterOf(state) }
  const { mutate } = useMutation({
    mutationFn: (step: () => Promise<void>) => step(),
    onError: (error) => toastError(error),
  })

  const expandNow = async (node: GraphNode) => {
    const { part, fresh, isCut } = await askAround(asking, node, shown)
    setGrowth((before) => ({
      ...before,
      expansions: new Map(before.expansions).set(node.id, part),
      hidden: withoutIds(before.hidden, idsOf(part)),
    }))
    tellWhatCame(node, fresh, shown, isCut)
  }
  const findWay = async (source: GraphNode, target: GraphNode) => {
    const { truncated, ...part } = await askWay(asking, source.id, target.id)
    if (part.nodes.length === 0)
      return toast(
        truncated ? 'No way was found, but not all was looked at.' : 'No links lead from the one to the other.',
      )
    setGrowth((before) => ({
      ...before,
      more: [...before.more, part],
      hidden: withoutIds(before.hidden, idsOf(part)),
      path: part.nodes,
    }))
  }
  const bringLinked = async (sourceId: string, targetId: string) => {
    // The shortest way between what has just been linked is that link.
    const part = await askWay({ vaultId, filter: { state: 'all' } }, sourceId, targetId)
    setGrowth((before) => ({ ...before, more: [...before.more, part] }))
    await refresh(client, linkReads)
  }

  return {
    shown,
    growth,
    expand: (node: GraphNode) => mutate(() => expandNow(node)),
    collapse: (node: GraphNode) => setGrowth((before) => collapse(base, before, node.id)),
    hide: (node: GraphNode) => change({ hidden: withIds(growth.hidden, [node.id]) }),
    showHidden: () => change({ hidden: nothing.hidden }),
    pin: (id: string) => change({ pinned: withIds(growth.pinned, [id]) }),
    unpin: (id: string) => change({ pinned: withoutIds(growth.pinned, [id]) }),
    findPath: (source: GraphNode, target: GraphNode) => mutate(() => findWay(source, target)),
    leavePath: () => change({ path: nothing.path }),
    noteLinked: (sourceId: string, targetId: string) => mutate(() => bringLinked(sourceId, targetId)),
    noteUnlinked(linkId: string) {
      change({ removedLinks: withIds(growth.removedLinks, [linkId]) })
      void refresh(client, linkReads)
    },
  }
}

const composeGrowth = (base: GraphPart, { expansions, more, hidden, removedLinks }: Growth): Shown =>
  compose([base, ...expansions.values(), ...more], { nodes: hidden, edges: removedLinks })

/** Puts away what its expansion brought, and what hangs on the node alone. */
function collapse(base: GraphPart, growth: Growth, id: string): Growth {
  const expansions = new Map(growth.expansions)
  expansions.delete(id)
  const left = { ...growth, expansions }
  return { ...left, hidden: withIds(growth.hidden, leavesOf(composeGrowth(base, left), id)) }
}

const idsOf = ({ nodes }: GraphPart) => nodes.map(({ id }) => id)

function tellWhatCame(node: GraphNode, fresh: number, shown: Shown, isCut: boolean): void {
  const left = Math.max(0, maxShown - shown.nodes.size)
  const name = nameOf(node)
  if (fresh > left)
    toast(
      `${formatCount(left)} of ${countOf(fresh, 'node')} more are shown: ${formatCount(maxShown)} are on the screen, and more would be no picture. Hide or collapse some, or begin somewhere else.`,
    )
  else if (fresh === 0) toast(`Nothing more is linked with “${name}”.`)
  else if (isCut)
    toast(
      `${countOf(fresh, 'node')} more: those of “${name}” that matter most. It has more links than are shown at once.`,
    )
}

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
