import type { Message } from '@holdfast/client/dashboard'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { isWaiting } from './message-looks.tsx'

/** Whether somebody has acknowledged it, in a word. */
export function MessageState({ message }: { message: Message }) {
  if (isWaiting(message)) return <StateBadge tone="waiting">Waits for you</StateBadge>
  if (message.status === 'pending') return <StateBadge tone="neutral">Not acknowledged</StateBadge>
  return <StateBadge tone="good">Acknowledged</StateBadge>
}
