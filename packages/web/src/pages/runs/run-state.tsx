import type { Run } from '@holdfast/client/dashboard'
import { useNow } from '../../components/text/moment.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'

/** After this long without a call, an agent has probably stopped without ending its run. */
const idleMs = 10 * 60_000

/** A run is active, idle or ended. */
export function RunState({ run: { endedAt, lastSeenAt } }: { run: Pick<Run, 'endedAt' | 'lastSeenAt'> }) {
  const nowMs = useNow()
  if (endedAt !== null) return <StateBadge tone="off">Ended</StateBadge>
  if (nowMs - Date.parse(lastSeenAt) < idleMs) return <StateBadge tone="good">Active</StateBadge>
  return <StateBadge tone="neutral">Idle</StateBadge>
}

/** Whether the agent saved a checkpoint. */
export function CheckpointState({ run: { checkpointAt } }: { run: Pick<Run, 'checkpointAt'> }) {
  if (checkpointAt === null) return <StateBadge tone="off">Not saved</StateBadge>
  return <StateBadge tone="good">Saved</StateBadge>
}

export const lastedMs = ({ startedAt, endedAt, lastSeenAt }: Pick<Run, 'startedAt' | 'endedAt' | 'lastSeenAt'>) =>
  Date.parse(endedAt ?? lastSeenAt) - Date.parse(startedAt)
