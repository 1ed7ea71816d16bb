import type { Webhook } from '@holdfast/client/dashboard'
import { Alert, Group, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { CircleAlert, Webhook as WebhookIcon } from 'lucide-react'
import { useRef, type RefObject } from 'react'
import { isNotFound } from '../../api/call-error.ts'
import { useOne } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonRecord } from '../../components/feedback/skeletons.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { Page } from '../../components/frame/page.tsx'
import { capitalize } from '../../components/text/first-words.ts'
import { countOf } from '../../components/text/time-text.ts'
import { useVaults } from '../../shell/vault.ts'
import { DeliveryList } from './delivery-list.tsx'
import { nameEvents } from './event-names.ts'
import { Failures } from './failures.tsx'
import { SendAgain } from './send-again.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { isFailing, WebhookState } from './webhook-state.tsx'
import classes from './delivery-list.module.css'

export function WebhookPage() {
  const { webhookId = '' }: { webhookId?: string } = useParams({ strict: false })
  const webhook = useOne('list-webhooks', { id: webhookId })
  const deliveries = useRef<HTMLHeadingElement>(null)
  return (
    <Page
      title={webhook.data === undefined ? 'Webhook' : titleOf(webhook.data.webhook)}
      back={{ to: '/webhooks', label: 'All webhooks' }}
      actions={webhook.data !== undefined && <WebhookActions webhook={webhook.data.webhook} />}
    >
      {isNotFound(webhook.error) ? (
        <EmptyState icon={WebhookIcon}>Webhook not found. It may have been deleted.</EmptyState>
      ) : (
        <Loaded query={webhook} skeleton={<SkeletonRecord />}>
          {({ webhook: found }) => (
            <Stack gap="xl">
              {isFailing(found) && <FailureNote webhook={found} next={deliveries} />}
              <Facts webhook={found} />
              <DeliveryList webhookId={found.id} heading={deliveries} />
            </Stack>
          )}
        </Loaded>
      )}
    </Page>
  )
}

function FailureNote({ webhook, next }: { webhook: Webhook; next: RefObject<HTMLElement | null> }) {
  const { failedDeliveries, lastError, isActive } = webhook
  const title =
    failedDeliveries > 0
      ? `${countOf(failedDeliveries, 'event')} not delivered`
      : 'Most attempts fail. Holdfast tries again every minute.'
  return (
    <Alert color="red" variant="light" icon={<CircleAlert size={18} aria-hidden />} title={title}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{lastError === null ? null : `Latest failure: ${lastError}`}</Text>
        {!isActive && <Text size="sm">Resume this webhook to send them again.</Text>}
        {failedDeliveries > 0 && isActive && <SendAgain webhook={webhook} next={next} />}
      </Group>
    </Alert>
  )
}

/** Without what all addresses have, and without a query, which may be long. */
function titleOf({ url }: Webhook): string {
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : host + pathname
}

function Facts({ webhook }: { webhook: Webhook }) {
  const { vaults } = useVaults()
  const vault = vaults.find(({ id }) => id === webhook.vaultId)
  return (
    <div className={classes.facts}>
      <FactList
        facts={[
          ['State', <WebhookState key="state" webhook={webhook} />],
          ['URL', webhook.url],
          ['Events', nameEvents(webhook.events, Infinity)],
          ['Vault', webhook.vaultId === null ? 'All vaults' : (vault?.name ?? 'Deleted vault')],
          ['Filter', describeFilters(webhook.filters)],
          ['Last delivered', <Moment key="delivered" at={webhook.lastDeliveryAt} never="Never" />],
          ['Not delivered', <Failures key="failed" webhook={webhook} />],
          ...(webhook.lastError === null || isFailing(webhook)
            ? []
            : ([['Latest failure', webhook.lastError]] as const)),
        ]}
      />
    </div>
  )
}

function describeFilters(filters: Webhook['filters']): string {
  if (filters === null) return 'None'
  const text = [
    filters.category?.join(', '),
    filters.memoryTypes?.join(', '),
    filters.priority_gte === undefined ? undefined : `priority ${filters.priority_gte} and above`,
    filters.targetId === undefined ? undefined : `for ${filters.targetId}`,
  ]
    .filter((part) => part !== undefined)
    .join('; ')
  return capitalize(text)
}
