import type { Webhook } from '@holdfast/client/dashboard'
import { Anchor, Table, Text } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { Webhook as WebhookIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { usePage } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { NewButton } from '../../components/frame/new-button.tsx'
import { Page } from '../../components/frame/page.tsx'
import { LeftOut } from '../../components/lists/left-out.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { nameEvents } from './event-names.ts'
import { Failures } from './failures.tsx'
import { NewSecret } from './new-secret.tsx'
import { SendAgain } from './send-again.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { isFailing, isUnusual, WebhookState } from './webhook-state.tsx'
import classes from './delivery-list.module.css'

const pageSize = 20
const url = describeUrl({ offset: 0, new: false })

export function WebhooksPage() {
  const [state, setState] = useUrlState(url)
  const [created, setCreated] = useState<{ id: string; secret: string }>()
  const webhooks = usePage('list-webhooks', { limit: pageSize, offset: state.offset })
  const openNew = () => setState({ new: true })
  useShortcut('c', 'New webhook', openNew)
  return (
    <Page
      title="Webhooks"
      lead="Notify your services when messages are sent, or memories, tasks and notes change."
      actions={
        <NewButton isEmpty={webhooks.data?.total === 0} onClick={openNew}>
          New webhook
        </NewButton>
      }
    >
      <Loaded query={webhooks}>
        {(page) =>
          page.total === 0 ? (
            <EmptyState icon={WebhookIcon} action={<NewButton onClick={openNew}>New webhook</NewButton>}>
              No webhooks yet. Add a URL to receive signed notifications, such as when an agent sends you a message.
            </EmptyState>
          ) : (
            <>
              <LeftOut pages={[page]} />
              <WebhookTable webhooks={page.webhooks} />
              <Pager page={page} onOffset={(offset) => setState({ offset })} />
            </>
          )
        }
      </Loaded>
      <WebhookForm isOpen={state.new} onClose={() => setState({ new: false })} onCreated={setCreated} />
      <NewSecret created={created} onClose={() => setCreated(undefined)} />
    </Page>
  )
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <RecordTable
      rowsOpen
      label="Webhooks"
      heads={['URL', 'Events', 'Last delivered', 'Not delivered']}
      menuHead="Actions"
    >
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} />
      ))}
    </RecordTable>
  )
}

/** Whether it works, if that is unusual, and why not. What is counted as not delivered needs only the reason. */
function State({ webhook }: { webhook: Webhook }) {
  const reason = isFailing(webhook) ? webhook.lastError : null
  const isCounted = webhook.failedDeliveries > 0 && webhook.isActive && reason !== null
  return (
    <>
      {isUnusual(webhook) && !isCounted && (
        <span className={classes.state}>
          <WebhookState webhook={webhook} />
        </span>
      )}
      {reason !== null && (
        <Text size="sm" c="var(--hf-danger)">
          {reason}
        </Text>
      )}
    </>
  )
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const navigate = useNavigate()
  const link = useRef<HTMLAnchorElement>(null)
  return (
    <Table.Tr onClick={() => void navigate({ to: `/webhooks/${webhook.id}` })}>
      <Table.Td>
        <Anchor
          renderRoot={(props) => <Link {...props} ref={link} to={`/webhooks/${webhook.id}`} />}
          c="inherit"
          fw={550}
          className={classes.url}
          title={webhook.url}
          onClick={(event) => event.stopPropagation()}
        >
          {webhook.url}
        </Anchor>
        <State webhook={webhook} />
      </Table.Td>
      <Table.Td>{nameEvents(webhook.events)}</Table.Td>
      <Table.Td data-label="Delivered" data-wide={webhook.lastDeliveryAt === null || undefined}>
        <Moment at={webhook.lastDeliveryAt} never="Never" />
      </Table.Td>
      <Table.Td
        data-unit="not delivered"
        data-wide={webhook.failedDeliveries === 0 || undefined}
        className={webhook.failedDeliveries > 0 ? classes.failed : undefined}
      >
        <Failures webhook={webhook} />
      </Table.Td>
      <Table.Td data-button>
        {webhook.failedDeliveries > 0 && webhook.isActive && <SendAgain webhook={webhook} next={link} />}
      </Table.Td>
    </Table.Tr>
  )
}
