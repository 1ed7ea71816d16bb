import type { InputOf } from '../../api/call.ts'
import { memoryTypes } from '../../components/records/memory-marks.tsx'
import { describeUrl, oneOf, textOf } from '../../shell/url-state.ts'

export const memoryUrl = describeUrl(
  {
    q: '',
    type: oneOf(memoryTypes, ''),
    importance: 0,
    agent: '',
    entity: '',
    state: oneOf(['live', 'archived', 'all'], 'live'),
    neverRecalled: false,
    contradicts: false,
    run: '',
    sort: oneOf(['newest', 'oldest', 'updated', 'importance', 'recalled'], ''),
    offset: 0,
    new: false,
  },
  { filters: ['q', 'type', 'importance', 'agent', 'entity', 'neverRecalled', 'contradicts', 'run'] },
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
    state,
    neverRecalled: neverRecalled || undefined,
    contradicts: contradicts || undefined,
    sort: sort === '' ? undefined : sort,
    limit: pageSize,
    offset,
  }
}
