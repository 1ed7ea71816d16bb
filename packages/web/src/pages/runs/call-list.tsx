import type { RunCall } from '@holdfast/client/dashboard'
import { Anchor, Button, Code, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Eye, PencilLine } from 'lucide-react'
import { useState } from 'react'
import { usePage, type OneOf } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { StepTime } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf, formatCount, formatDuration } from '../../components/text/time-text.ts'
import classes from './run-page.module.css'

const pageSize = 25

interface Props {
  vaultId: string
  runId: string
  operations: OneOf<'list-runs'>['operations']
}

/** The calls of a run, latest first, with their results but without their content. */
export function CallList({ vaultId, runId, operations }: Props) {
  const [offset, setOffset] = useState(0)
  const calls = usePage('list-run-calls', { vaultId, runId, limit: pageSize, offset })
  return (
    <section>
      <Title order={2} mb={4}>
        Calls
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Latest first. Calls are listed for 30 days. Their inputs and results aren’t stored.
      </Text>
      {operations.length > 0 && <Operations operations={operations} />}
      <Loaded query={calls}>
        {(page) =>
          page.total === 0 ? (
            <Text c="dimmed">No calls of this run are stored anymore.</Text>
          ) : (
            <>
              <ol className={classes.calls} aria-label="Calls">
                {page.calls.map((call, at) => (
                  <Call key={`${call.at} ${offset + at}`} call={call} />
                ))}
              </ol>
              <Pager page={page} onOffset={setOffset} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Operations({ operations }: Pick<Props, 'operations'>) {
  return (
    <Group gap={6} mb="sm">
      {operations.map(({ operation, done, failed }) => (
        <span key={operation} className={classes.operation}>
          <Code className={classes.code}>{operation}</Code> {formatCount(done + failed)}
          {failed > 0 && `, ${countOf(failed, 'error')}`}
        </span>
      ))}
    </Group>
  )
}

function Call({ call: { operation, isWrite, at, durationMs, status, records, recordCount } }: { call: RunCall }) {
  const Icon = isWrite ? PencilLine : Eye
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? records : records.slice(0, fewRecords)
  const more = recordCount - records.length
  return (
    <li className={classes.call}>
      <span className={classes.when}>
        <StepTime at={at} />
      </span>
      <div className={classes.what}>
        <span className={classes.head}>
          <Icon size={15} strokeWidth={1.8} aria-label={isWrite ? 'Write' : 'Read'} className={classes.icon} />
          <Code className={classes.code}>{operation}</Code>
          {status >= 400 && <StateBadge tone="bad">{`${status} ${describeStatus(status)}`}</StateBadge>}
          <Text span size="xs" c="dimmed">
            {formatDuration(durationMs)}
          </Text>
        </span>
        {records.length > 0 && (
          <ul className={classes.records}>
            {shown.map((record) => (
              <li key={record.id}>
                <CalledRecord record={record} />
              </li>
            ))}
            {more > 0 && shown.length === records.length && <li>and {formatCount(more)} more</li>}
          </ul>
        )}
        {shown.length < records.length && (
          <Button variant="subtle" size="compact-xs" ml={17} onClick={() => setOpen(true)}>
            Show {formatCount(recordCount - shown.length)} more
          </Button>
        )}
      </div>
    </li>
  )
}

/** How many records of a call are shown at first. */
const fewRecords = 5

const paths = { memory: '/memories', task: '/tasks', note: '/notes', message: '/messages' } as const

function CalledRecord({ record: { kind, id, title, live } }: { record: RunCall['records'][number] }) {
  if (kind === 'turn') return 'A conversation turn'
  if (kind === 'message')
    return <Anchor renderRoot={(props) => <Link {...props} to={`/messages/${id}`} />}>A message</Anchor>
  if (title === null) return <span className={classes.gone}>A deleted {kind}</span>
  return (
    <>
      <Anchor className={classes.title} renderRoot={(props) => <Link {...props} to={`${paths[kind]}/${id}`} />}>
        {title === '' ? 'Untitled' : title}
      </Anchor>{' '}
      {!live && <StateBadge tone="off">Inactive</StateBadge>}
    </>
  )
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Invalid fields',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Not available',
}

const describeStatus = (status: number) => reasons[status] ?? 'Failed'
