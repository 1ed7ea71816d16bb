import type { Run } from '@holdfast/client/dashboard'
import { useNow } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'

/** An agent that says nothing for so long has most likely gone without a word. */
const quietMs = 10 * 60_000

/** Whether a run goes on, as far as anybody knows. */
export function RunState({ run: { endedAt, lastSeenAt } }: { run: Pick<Run, 'endedAt' | 'lastSeenAt'> }) {
  const nowMs = useNow()
  if (endedAt !== null) return <StateBadge tone="off">Ended</StateBadge>
  if (nowMs - Date.parse(lastSeenAt) < quietMs) return <StateBadge tone="good">At work</StateBadge>
  return <StateBadge tone="neutral">Quiet</StateBadge>
}

/** Whether what it learned was saved. */
export function CheckpointState({ run: { checkpointAt } }: { run: Pick<Run, 'checkpointAt'> }) {
  if (checkpointAt === null) return <StateBadge tone="off">Not saved</StateBadge>
  return <StateBadge tone="good">Saved</StateBadge>
}

export const lastedMs = ({ startedAt, endedAt, lastSeenAt }: Pick<Run, 'startedAt' | 'endedAt' | 'lastSeenAt'>) =>
  Date.parse(endedAt ?? lastSeenAt) - Date.parse(startedAt)
