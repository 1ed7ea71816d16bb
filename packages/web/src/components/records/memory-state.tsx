import type { ListedMemory, Memory } from '@holdfast/client/dashboard'
import { useNow } from '../text/clock.ts'
import { StateBadge } from '../feedback/state-badge.tsx'

type Stated = Pick<Memory | ListedMemory, 'status' | 'supersededById' | 'expiresAt'>

/** Why search does not find a memory; nothing where it does. */
export function MemoryState({ memory: { status, supersededById, expiresAt } }: { memory: Stated }) {
  const nowMs = useNow()
  if (status === 'archived') return <StateBadge tone="off">Archived</StateBadge>
  if (supersededById !== null) return <StateBadge tone="off">Superseded</StateBadge>
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMs) return <StateBadge tone="waiting">Expired</StateBadge>
  return null
}
