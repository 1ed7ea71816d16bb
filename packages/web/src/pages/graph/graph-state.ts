import type { InputOf } from '../../api/call.ts'
import { memoryTypes } from '../../components/records/memory-marks.tsx'
import { relationTypes } from '../../components/records/relations.ts'

/** What the page shows, as it stands in the URL. */
export const shown = {
  /** The node that the graph begins at; empty: the best connected ones. */
  from: '',
  depth: 1,
  /** The node in the side panel. */
  at: '',
  view: 'map',
  type: '',
  relation: '',
  entity: '',
  agent: '',
  /** Days, as `2026-11-21`. */
  since: '',
  until: '',
  archived: false,
  sort: '',
  offset: 0,
}

export type GraphState = typeof shown
export type ChangeState = (changes: Partial<GraphState>) => void

const narrowing = ['type', 'relation', 'entity', 'agent', 'since', 'until', 'archived'] as const

export const isNarrowed = (state: GraphState) => narrowing.some((name) => state[name] !== shown[name])

export const withoutFilter: Partial<GraphState> = Object.fromEntries(
  [...narrowing, 'offset' as const].map((name) => [name, shown[name]]),
)

export const maxDepth = 5
/** Of one answer; the server's own bound is 200. */
export const bestCount = 150
export const aroundCount = 200

type Input = InputOf<'read-graph'>

/** What narrows every question about the graph. What was typed into the URL and means nothing is left out. */
export function filterOf({ type, relation, entity, agent, since, until, archived }: GraphState) {
  const chosenType = ['note' as const, ...memoryTypes].find((each) => each === type)
  const chosenRelation = relationTypes.find((each) => each === relation)
  return {
    types: chosenType && [chosenType],
    relations: chosenRelation && [chosenRelation],
    entity: entity === '' ? undefined : entity,
    agent: agent === '' ? undefined : agent,
    since: dayAt(since, 0),
    until: dayAt(until, 1),
    state: archived ? ('all' as const) : undefined,
  }
}

export function inputOf(state: GraphState, vaultId: string): Input {
  const { from, depth } = state
  const beginning =
    from === ''
      ? { limit: bestCount }
      : { nodeId: from, depth: Math.min(maxDepth, Math.max(1, Math.round(depth))), limit: aroundCount }
  return { vaultId, ...beginning, ...filterOf(state) }
}

/** Midnight where the browser is, so many days later; undefined for what is no day. */
function dayAt(day: string, days: number): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const at = new Date(`${day}T00:00`)
  at.setDate(at.getDate() + days)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
