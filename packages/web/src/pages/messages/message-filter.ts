import type { InputOf } from '../../api/call.ts'
import { describeUrl, oneOf, textOf } from '../../shell/url-state.ts'
import { categories } from './message-marks.tsx'

export const messageUrl = describeUrl(
  {
    box: oneOf(['received', 'sent', 'agents', 'all'], 'received'),
    q: '',
    status: oneOf(['pending', 'acknowledged'], ''),
    category: oneOf(categories, ''),
    priority: 0,
    agent: '',
    vault: '',
    offset: 0,
    new: false,
    to: '',
    task: '',
  },
  { filters: ['q', 'status', 'category', 'priority', 'agent', 'vault'] },
)

export type MessageFilter = typeof messageUrl.defaults

export type ThreadInput = InputOf<'list-threads'>

const pageSize = 25

export function inputOf(filter: MessageFilter): ThreadInput {
  const { box, q, status, category, priority, agent, vault, offset } = filter
  return {
    box,
    q: textOf(q),
    status: status === '' ? undefined : status,
    category: category === '' ? undefined : category,
    priorityMin: priority > 1 && priority <= 5 ? priority : undefined,
    withAgentId: textOf(agent),
    vaultId: textOf(vault),
    limit: pageSize,
    offset,
  }
}
