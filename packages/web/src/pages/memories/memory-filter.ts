import type { InputOf } from '../../api/call.ts'
import { memoryTypes } from '../../components/records/memory-marks.tsx'

/** What the list is narrowed by, as it stands in the URL. */
export const shown = {
  q: '',
  type: '',
  importance: 0,
  agent: '',
  entity: '',
  state: 'live',
  neverRecalled: false,
  contradicts: false,
  run: '',
  sort: '',
  offset: 0,
  new: false,
}

export type MemoryFilter = {
  [Name in keyof typeof shown]: (typeof shown)[Name]
}

export const pageSize = 25

const narrowing = ['q', 'type', 'importance', 'agent', 'entity', 'neverRecalled', 'contradicts', 'run'] as const

export const isNarrowed = (filter: MemoryFilter) => narrowing.some((name) => filter[name] !== shown[name])

export const withoutFilter: Partial<MemoryFilter> = Object.fromEntries(
  [...narrowing, 'offset' as const].map((name) => [name, shown[name]]),
)

type Input = InputOf<'list-memories'>

/** What was typed into the URL and means nothing is left out. */
export function inputOf(filter: MemoryFilter, vaultId: string): Input {
  const { q, agent, entity, run, importance, neverRecalled, contradicts, offset } = filter
  const query = q.trim()
  const type = one(memoryTypes, filter.type)
  return {
    vaultId,
    q: query === '' ? undefined : query,
    type: type && [type],
    importanceMin: importance > 1 ? importance : undefined,
    agent: agent === '' ? undefined : agent,
    entity: entity === '' ? undefined : entity,
    runId: run === '' ? undefined : run,
    state: stateOf(filter),
    neverRecalled: neverRecalled || undefined,
    contradicts: contradicts || undefined,
    sort: one(sorts, filter.sort),
    limit: pageSize,
    offset,
  }
}

const sorts = ['newest', 'oldest', 'updated', 'importance', 'recalled'] as const
const states = ['live', 'archived', 'all'] as const

export const stateOf = ({ state }: MemoryFilter) => one(states, state) ?? 'live'

const one = <T extends string>(all: readonly T[], given: string): T | undefined => all.find((each) => each === given)
