import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type OutputOf, call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import {
  compose,
  isEntity,
  leavesOf,
  maxShown,
  nameOf,
  sharedEntities,
  type GraphPart,
  type MapNode,
  type Shown,
  type Wanted,
} from './graph-model.ts'
import { filterOf, type GraphState, maxCount } from './graph-state.ts'

/** What the person has changed in the graph since it was loaded. */
interface Growth {
  /** By the id of the expanded node. */
  expansions: ReadonlyMap<string, GraphPart>
  /** The paths found and the links added by hand. */
  more: readonly GraphPart[]
  hidden: ReadonlySet<string>
  removedLinks: ReadonlySet<string>
  pinned: ReadonlySet<string>
  /** The nodes of the last path found. */
  path: readonly MapNode[]
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

/** The queries to refresh after a link changes. */
const linkReads = ['read-graph', 'get-links', 'list-memories', 'list-notes', 'read-note'] as const

/** The graph with everything expanded so far, and the actions on it. */
export function useGraph(vaultId: string, state: GraphState, base: OutputOf<'read-graph'>) {
  const client = useQueryClient()
  const [growth, setGrowth] = useState(nothing)
  const change = (changes: Partial<Growth>) => setGrowth((before) => ({ ...before, ...changes }))
  const wanted = useWanted(state, growth)
  const shown = useMemo(() => composeGrowth(base, growth, wanted), [base, growth, wanted])
  const asking = { vaultId, filter: filterOf(state) }
  const { mutate } = useMutation({
    mutationFn: (step: () => Promise<void>) => step(),
    onError: (error) => toastError(error),
  })

  const expandNow = async (node: MapNode) => {
    const { part, fresh, isCut } = await readNeighbors(asking, node, shown)
    setGrowth((before) => ({
      ...before,
      expansions: new Map(before.expansions).set(node.id, part),
      hidden: withoutIds(before.hidden, idsOf(part)),
    }))
    reportExpansion(node, fresh, shown, isCut)
  }
  const showPath = async (source: MapNode, target: MapNode) => {
    const { truncated, ...part } = await readPath(asking, source.id, target.id)
    if (part.nodes.length === 0) return toast(describeNoPath(sharedEntities(shown, source.id, target.id), truncated))
    setGrowth((before) => ({
      ...before,
      more: [...before.more, part],
      hidden: withoutIds(before.hidden, idsOf(part)),
      path: part.nodes,
    }))
  }
  const addLinked = async (sourceId: string, targetId: string) => {
    // The shortest path between two nodes just linked is the new link.
    const part = await readPath({ vaultId, filter: { state: 'all' } }, sourceId, targetId)
    setGrowth((before) => ({ ...before, more: [...before.more, part] }))
    await refresh(client, linkReads)
  }

  return {
    shown,
    growth,
    expand: (node: MapNode) => mutate(() => expandNow(node)),
    collapse: (node: MapNode) => setGrowth((before) => collapse(base, before, wanted, node.id)),
    hide: (node: MapNode) => change({ hidden: withIds(growth.hidden, [node.id]) }),
    showHidden: () => change({ hidden: nothing.hidden }),
    pin: (id: string) => change({ pinned: withIds(growth.pinned, [id]) }),
    unpin: (id: string) => change({ pinned: withoutIds(growth.pinned, [id]) }),
    findPath: (source: MapNode, target: MapNode) => mutate(() => showPath(source, target)),
    leavePath: () => change({ path: nothing.path }),
    noteLinked: (sourceId: string, targetId: string) => mutate(() => addLinked(sourceId, targetId)),
    noteUnlinked(linkId: string) {
      change({ removedLinks: withIds(growth.removedLinks, [linkId]) })
      void refresh(client, linkReads)
    },
  }
}

/** A filter by relation shows links of this relation alone. */
function useWanted({ from, at, entities, unlinked, relation }: GraphState, { pinned }: Growth): Wanted {
  return useMemo(
    () => ({
      hasEntities: entities && relation === '',
      hasUnlinked: unlinked,
      kept: withIds(pinned, [from, at]),
    }),
    [from, at, entities, unlinked, relation, pinned],
  )
}

const composeGrowth = (base: GraphPart, { expansions, more, hidden, removedLinks }: Growth, wanted: Wanted): Shown =>
  compose([base, ...expansions.values(), ...more], { nodes: hidden, edges: removedLinks }, wanted)

function describeNoPath(shared: readonly MapNode[], isCut: boolean): string {
  if (shared.length > 0)
    return `No links lead from one to the other, but both are about ${shared.map(nameOf).join(', ')}.`
  return isCut ? 'No path found within the search limit.' : 'These nodes aren’t connected.'
}

/** Removes what expanding the node added, and hides the nodes linked only to it. */
function collapse(base: GraphPart, growth: Growth, wanted: Wanted, id: string): Growth {
  const expansions = new Map(growth.expansions)
  expansions.delete(id)
  const left = { ...growth, expansions }
  return { ...left, hidden: withIds(growth.hidden, leavesOf(composeGrowth(base, left, wanted), id)) }
}

const idsOf = ({ nodes }: GraphPart) => nodes.map(({ id }) => id)

function reportExpansion(node: MapNode, fresh: number, shown: Shown, isCut: boolean): void {
  const left = Math.max(0, maxShown - shown.nodes.size)
  const name = nameOf(node)
  if (fresh > left)
    toast(
      `Added ${formatCount(left)} of ${countOf(fresh, 'node')}: the limit is ${formatCount(maxShown)}. Hide or collapse some nodes, or start at another node.`,
    )
  else if (fresh === 0) toast(`No more links from “${name}”.`)
  else if (isCut)
    toast(
      `Added the ${countOf(fresh, 'node')} most important to “${name}”. It has more links than can be added at once.`,
    )
}

interface Asking {
  vaultId: string
  filter: Partial<ReturnType<typeof filterOf>>
}

/** Reads the nodes linked to a node, and the links between them and the nodes already shown. */
async function readNeighbors({ vaultId, filter }: Asking, node: MapNode, shown: Shown) {
  const asked = { vaultId, limit: maxCount, entities: true, ...filter }
  const around = await call(
    'read-graph',
    isEntity(node) ? { ...asked, entity: node.title } : { ...asked, nodeId: node.id, depth: 1 },
  )
  const fresh = around.nodes.map(({ id }) => id).filter((id) => !shown.nodes.has(id))
  // read-graph doesn't return the links between the new nodes and the ones already shown.
  const joining =
    fresh.length === 0
      ? []
      : (
          await call('find-links-among', {
            vaultId,
            ids: fresh,
            otherIds: [...shown.nodes.values()].flatMap((each) => (isEntity(each) ? [] : [each.id])),
            relations: filter.relations,
          })
        ).edges
  const part: GraphPart = { ...around, edges: [...around.edges, ...joining] }
  return { part, fresh: fresh.length, isCut: around.truncated }
}

const readPath = ({ vaultId, filter }: Asking, sourceId: string, targetId: string) =>
  call('find-path', { vaultId, sourceId, targetId, ...filter })
