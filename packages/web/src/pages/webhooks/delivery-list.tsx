import type { WebhookDelivery } from '@holdfast/client/dashboard'
import { Accordion, Button, Group, SegmentedControl, Table, Text, Title } from '@mantine/core'
import { RotateCw } from 'lucide-react'
import type { Ref } from 'react'
import { useAction, usePage } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment, StepTime, useNow } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { countOf, formatDuration, isDue } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import classes from './delivery-list.module.css'
import { DeliveryState } from './webhook-state.tsx'

const pageSize = 20
const url = describeUrl({ state: 'all', offset: 0 })
const states = [
  { value: 'all', label: 'All' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'pending', label: 'Pending' },
  { value: 'dead', label: 'Not delivered' },
]

interface Props {
  webhookId: string
  /** Can get the focus. */
  heading: Ref<HTMLHeadingElement>
}

export function DeliveryList({ webhookId, heading }: Props) {
  const [{ state, offset }, setState] = useUrlState(url)
  const wanted = { webhookId, limit: pageSize, offset }
  const deliveries = usePage(
    'list-webhook-deliveries',
    state === 'all' ? wanted : { ...wanted, state: state as WebhookDelivery['state'] },
  )
  return (
    <section>
      <Group justify="space-between" mb="sm">
        <Title ref={heading} tabIndex={-1} order={2}>
          Deliveries
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Which deliveries"
          data={states}
          value={state}
          onChange={(value) => setState({ state: value, offset: 0 })}
        />
      </Group>
      <Loaded query={deliveries}>
        {(page) => (
          <>
            {page.total === 0 && (
              <Text c="dimmed">No deliveries. They appear when one of this webhook’s events happens.</Text>
            )}
            <Accordion variant="contained" order={3}>
              {page.deliveries.map((delivery) => (
                <Delivery key={delivery.id} delivery={delivery} />
              ))}
            </Accordion>
            <Pager page={page} onOffset={(next) => setState({ offset: next })} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  const redeliver = useAction('redeliver-webhook', {
    refreshes: ['list-webhook-deliveries', 'list-webhooks', 'read-overview'],
    onDone: () => toast('Delivery queued'),
  })
  const { id, webhookId, event, state, createdAt, lastStatus, attempt, nextAttemptAt, attempts, body } = delivery
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <div className={classes.delivery}>
          <span>
            <DeliveryState state={state} />
          </span>
          <span>{event}</span>
          <Text span size="sm" c="dimmed">
            <Moment at={createdAt} /> · {lastStatus === null ? countOf(attempt, 'attempt') : `HTTP ${lastStatus}`}
            {state === 'pending' && nextAttemptAt !== null && (
              <>
                {' '}
                · next attempt <Planned at={nextAttemptAt} />
              </>
            )}
          </Text>
        </div>
      </Accordion.Control>
      <Accordion.Panel>
        <Attempts attempts={attempts} />
        {nextAttemptAt !== null && (
          <Text size="sm" mb="sm">
            Next attempt <Planned at={nextAttemptAt} />
          </Text>
        )}
        <CodeBlock code={pretty(body)} label="Payload" />
        <Button
          mt="sm"
          size="xs"
          variant="default"
          leftSection={<RotateCw size={14} aria-hidden />}
          loading={redeliver.isPending}
          onClick={() => redeliver.mutate({ webhookId, deliveryId: id }, { onError: (error) => toastError(error) })}
        >
          Send again
        </Button>
      </Accordion.Panel>
    </Accordion.Item>
  )
}

/** When an attempt is planned. One whose time has come waits for the next round of deliveries. */
function Planned({ at }: { at: string }) {
  const nowMs = useNow()
  return isDue(at, nowMs) ? <time dateTime={at}>due</time> : <Moment at={at} />
}

function Attempts({ attempts }: Pick<WebhookDelivery, 'attempts'>) {
  if (attempts.length === 0) return null
  return (
    <Table mb="sm" aria-label="Attempts">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">When</Table.Th>
          <Table.Th scope="col">Result</Table.Th>
          <Table.Th scope="col" ta="right">
            Duration
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {attempts.map(({ at, status, error, durationMs }) => (
          <Table.Tr key={at}>
            <Table.Td>
              <StepTime at={at} />
            </Table.Td>
            <Table.Td>{error ?? status}</Table.Td>
            <Table.Td ta="right">{formatDuration(durationMs)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
