import type { InputOf } from '../../api/call.ts'
import { memoryTypes } from '../../components/records/memory-marks.tsx'
import { relationTypes } from '../../components/records/relations.ts'
import { describeUrl, oneOf, textOf, type Changes } from '../../shell/url-state.ts'

/** The number of nodes in one answer. The server's own limit is 200. */
export const maxCount = 200
/** As many names fit on a screen without covering each other. */
const firstCount = 60

export const graphUrl = describeUrl(
  {
    /** The node that the graph starts from; empty: the nodes with most links. */
    from: '',
    depth: 1,
    /** How many nodes there are at first, if they are those with most links. */
    count: firstCount,
    /** The node in the side panel. */
    at: '',
    view: oneOf(['map', 'table'], 'map'),
    type: oneOf(['note', ...memoryTypes], ''),
    relation: oneOf(relationTypes, ''),
    entity: '',
    agent: '',
    /** Days, such as `2026-11-21`. */
    since: '',
    until: '',
    archived: false,
    /** Shows what the nodes are about as nodes of their own. */
    entities: true,
    /** Shows nodes without links, too. */
    unlinked: false,
    sort: '',
    offset: 0,
  },
  { filters: ['type', 'relation', 'entity', 'agent', 'since', 'until', 'archived'] },
)

export type GraphState = typeof graphUrl.defaults
export type ChangeState = (changes: Changes<GraphState>) => void

export const maxDepth = 5

type Input = InputOf<'read-graph'>

/** The filter of every query about the graph. */
export function filterOf({ type, relation, entity, agent, since, until, archived }: GraphState) {
  return {
    types: type === '' ? undefined : [type],
    relations: relation === '' ? undefined : [relation],
    entity: textOf(entity),
    agent: textOf(agent),
    since: dayAt(since, 0),
    until: dayAt(until, 1),
    state: archived ? ('all' as const) : undefined,
  }
}

export function inputOf(state: GraphState, vaultId: string): Input {
  const { from, depth, count } = state
  const beginning =
    from === ''
      ? { limit: Math.min(maxCount, Math.max(1, Math.round(count))) }
      : { nodeId: from, depth: Math.min(maxDepth, Math.max(1, Math.round(depth))), limit: maxCount }
  return { vaultId, entities: true, ...beginning, ...filterOf(state) }
}

/** Local midnight, the given number of days later; undefined if the text is not a date. */
function dayAt(day: string, days: number): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const at = new Date(`${day}T00:00`)
  at.setDate(at.getDate() + days)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
