import type { Webhook, WebhookDelivery } from '@holdfast/client/dashboard'
import { StateBadge } from '../../components/feedback/state-badge.tsx'

/** Most webhooks are healthy, so the list only marks the others. */
export const isUnusual = (webhook: Webhook) =>
  !webhook.isActive || isFailing(webhook) || webhook.lastError !== null || webhook.lastDeliveryAt === null

/** Whether something isn't delivered: for now, or after all attempts. */
export const isFailing = ({ isActive, heldUntil, failedDeliveries }: Webhook) =>
  (isActive && heldUntil !== null) || failedDeliveries > 0

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { isActive, heldUntil, lastError, lastDeliveryAt } = webhook
  if (!isActive) return <StateBadge tone="off">Paused</StateBadge>
  if (heldUntil !== null) return <StateBadge tone="bad">Failing</StateBadge>
  if (isFailing(webhook)) return <StateBadge tone="bad">Some not delivered</StateBadge>
  if (lastError !== null) return <StateBadge tone="warning">Some attempts failed</StateBadge>
  if (lastDeliveryAt === null) return <StateBadge tone="neutral">Nothing sent yet</StateBadge>
  return <StateBadge tone="good">Healthy</StateBadge>
}

export function DeliveryState({ state }: { state: WebhookDelivery['state'] }) {
  if (state === 'delivered') return <StateBadge tone="good">Delivered</StateBadge>
  if (state === 'pending') return <StateBadge tone="waiting">Pending</StateBadge>
  return <StateBadge tone="bad">Not delivered</StateBadge>
}
