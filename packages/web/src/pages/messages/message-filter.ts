import type { InputOf } from '../../api/call.ts'
import { categories } from './message-looks.tsx'

/** What the inbox is narrowed by, as it stands in the URL. */
export const shown = {
  box: 'received',
  status: '',
  category: '',
  priority: 0,
  agent: '',
  vault: '',
  offset: 0,
  new: false,
  to: '',
  task: '',
}

export type MessageFilter = {
  [Name in keyof typeof shown]: (typeof shown)[Name]
}

export type ThreadInput = InputOf<'list-threads'>

const pageSize = 25

const narrowing = ['status', 'category', 'priority', 'agent', 'vault'] as const

export const isNarrowed = (filter: MessageFilter) => narrowing.some((name) => filter[name] !== shown[name])

export const withoutFilter: Partial<MessageFilter> = Object.fromEntries(
  [...narrowing, 'offset' as const].map((name) => [name, shown[name]]),
)

const boxes = ['received', 'sent', 'agents', 'all'] as const
const states = ['pending', 'acknowledged'] as const

export const boxOf = ({ box }: MessageFilter) => one(boxes, box) ?? 'received'

/** What was typed into the URL and means nothing is left out. */
export function inputOf(filter: MessageFilter): ThreadInput {
  const { status, category, priority, agent, vault, offset } = filter
  return {
    box: boxOf(filter),
    status: one(states, status),
    category: one(categories, category),
    priorityMin: priority > 1 && priority <= 5 ? priority : undefined,
    agentId: agent === '' ? undefined : agent,
    vaultId: vault === '' ? undefined : vault,
    limit: pageSize,
    offset,
  }
}

const one = <T extends string>(all: readonly T[], given: string): T | undefined => all.find((each) => each === given)
