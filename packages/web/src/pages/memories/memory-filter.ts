import type { InputOf } from '../../api/call.ts'
import { memoryTypes } from '../../components/records/memory-marks.tsx'
import { startOfDay } from '../../components/text/days.ts'
import { describeUrl, oneOf, textOf } from '../../shell/url-state.ts'

export const memoryUrl = describeUrl(
  {
    q: '',
    type: oneOf(memoryTypes, ''),
    importance: 0,
    agent: '',
    entity: '',
    state: oneOf(['live', 'superseded', 'archived', 'all'], 'live'),
    neverRecalled: false,
    contradicts: false,
    run: '',
    /** Days, as in `2026-11-26`. */
    from: '',
    to: '',
    sort: oneOf(['newest', 'oldest', 'updated', 'importance', 'recalled'], ''),
    offset: 0,
    new: false,
  },
  { filters: ['q', 'type', 'importance', 'agent', 'entity', 'neverRecalled', 'contradicts', 'run', 'from', 'to'] },
)

export type MemoryFilter = typeof memoryUrl.defaults

const pageSize = 25

export function inputOf(filter: MemoryFilter, vaultId: string): InputOf<'list-memories'> {
  const { type, importance, neverRecalled, contradicts, sort, state, offset } = filter
  return {
    vaultId,
    q: textOf(filter.q),
    type: type === '' ? undefined : [type],
    importanceMin: importance > 1 ? importance : undefined,
    agent: textOf(filter.agent),
    entity: textOf(filter.entity),
    runId: textOf(filter.run),
    createdFrom: startOfDay(filter.from)?.toISOString(),
    createdTo: startOfDay(filter.to, 1)?.toISOString(),
    state,
    neverRecalled: neverRecalled || undefined,
    contradicts: contradicts || undefined,
    sort: sort === '' ? undefined : sort,
    limit: pageSize,
    offset,
  }
}

/** What the list is sorted by, if it isn't a search's ranking. */
export const sortOf = ({ sort, q }: MemoryFilter): string => (sort === '' && q === '' ? 'newest' : sort)
