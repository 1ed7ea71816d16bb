import type { Webhook, WebhookDelivery } from '@holdfast/client/dashboard'
import { StateBadge } from '../../components/feedback/state-badge.tsx'

/** Most webhooks are healthy, so the list only marks the others. */
export const isUnusual = ({ isActive, heldUntil, lastError, lastDeliveryAt }: Webhook) =>
  !isActive || heldUntil !== null || lastError !== null || lastDeliveryAt === null

export function WebhookState({ webhook: { isActive, heldUntil, lastError, lastDeliveryAt } }: { webhook: Webhook }) {
  if (!isActive) return <StateBadge tone="off">Paused</StateBadge>
  if (heldUntil !== null) return <StateBadge tone="bad">Failing</StateBadge>
  if (lastError !== null) return <StateBadge tone="warning">Some failed</StateBadge>
  if (lastDeliveryAt === null) return <StateBadge tone="neutral">Nothing sent yet</StateBadge>
  return <StateBadge tone="good">Healthy</StateBadge>
}

export function DeliveryState({ state }: { state: WebhookDelivery['state'] }) {
  if (state === 'delivered') return <StateBadge tone="good">Delivered</StateBadge>
  if (state === 'pending') return <StateBadge tone="waiting">Pending</StateBadge>
  return <StateBadge tone="bad">Failed</StateBadge>
}
