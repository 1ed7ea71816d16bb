import { Alert, Button, Group, Modal, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { call, type OutputOf } from '../../api/call.ts'
import { refresh, useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { toastError } from '../../shell/toasts.tsx'
import classes from './run-page.module.css'

type Plan = OutputOf<'preview-run-revert'>

interface Props {
  vaultId: string
  id: string
  onClose: () => void
}

/** What would be taken back and what would not, before anything is; then what became of it. */
export function RevertRun({ vaultId, id, onClose }: Props) {
  const plan = useOperation('preview-run-revert', { vaultId, id })
  const [done, setDone] = useState<Done>()
  return (
    <Modal opened onClose={onClose} title="Undo this run’s writes" size="lg">
      <Loaded query={plan}>
        {(found) =>
          done === undefined ? (
            <Question vaultId={vaultId} id={id} plan={found} onDone={setDone} onClose={onClose} />
          ) : (
            <Outcome done={done} onClose={onClose} />
          )
        }
      </Loaded>
    </Modal>
  )
}

interface Done {
  archived: number
  trashed: number
  broughtBack: number
  left: number
}

const reads = [
  'list-runs',
  'browse-memories',
  'count-memories',
  'browse-notes',
  'browse-tasks',
  'read-trash',
  'read-overview',
] as const

interface QuestionProps extends Props {
  plan: Plan
  onDone: (done: Done) => void
}

function Question({ vaultId, id, plan, onDone, onClose }: QuestionProps) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const { matched, records, left, leftCount, kept } = plan
  const takeBack = async () => {
    setBusy(true)
    try {
      const done = await revertAll(vaultId, id)
      onDone({ ...done, left: leftCount + matched - done.archived - done.trashed })
    } catch (error) {
      toastError(error)
    }
    setBusy(false)
    void refresh(client, reads)
  }
  return (
    <Stack>
      <div>
        <Text>
          {matched === 0
            ? 'Nothing is there to take back: what this run has made was changed since, or is put away already.'
            : `${countOf(matched, 'record')} that nobody has changed since: memories and tasks are archived, notes go to the trash, and what they superseded holds again. All of it can be restored one by one.`}
        </Text>
        {matched > 0 && <RecordList label="To be taken back" records={records} count={matched} />}
      </div>
      {leftCount > 0 && (
        <div>
          <Title order={3}>Stays as it is</Title>
          <RecordList label="Stays as it is" records={left} count={leftCount} />
        </div>
      )}
      {kept.length > 0 && (
        <Text size="sm" c="dimmed">
          Also stays: {kept.map(({ operation, count }) => `${countOf(count, 'call')} of ${operation}`).join(', ')}.
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {matched === 0 ? 'Close' : 'Cancel'}
        </Button>
        {matched > 0 && (
          <Button color="red" loading={isBusy} onClick={() => void takeBack()}>
            Take back {countOf(matched, 'record')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** Some at a call, until none is left. */
async function revertAll(vaultId: string, id: string) {
  const done = { archived: 0, trashed: 0, broughtBack: 0 }
  for (let remaining = 1; remaining > 0;) {
    const part = await call('revert-run', { vaultId, id })
    done.archived += part.archived.length
    done.trashed += part.trashed.length
    done.broughtBack += part.broughtBack.length
    // What was changed while this goes on is left, and must not keep it going.
    remaining = part.archived.length + part.trashed.length === 0 ? 0 : part.remaining
  }
  return done
}

type Shown = { id: string; title: string; reason?: string }

function RecordList({ label, records, count }: { label: string; records: readonly Shown[]; count: number }) {
  return (
    // Focusable, since it may have to be scrolled by keyboard.
    <div className={classes.scroll} role="group" aria-label={label} tabIndex={0}>
      <ul className={classes.list}>
        {records.map(({ id, title, reason }) => (
          <li key={id}>
            {title === '' ? 'Without words' : title}
            {reason !== undefined && <div className={classes.reason}>{reason}</div>}
          </li>
        ))}
        {count > records.length && <li className={classes.reason}>and {count - records.length} more</li>}
      </ul>
    </div>
  )
}

function Outcome({ done: { archived, trashed, broughtBack, left }, onClose }: { done: Done; onClose: () => void }) {
  const parts = [
    archived > 0 && `${countOf(archived, 'memory', 'memories')} archived`,
    trashed > 0 && `${countOf(trashed, 'note')} put into the trash`,
    broughtBack > 0 && `${countOf(broughtBack, 'memory holds', 'memories hold')} again`,
    left > 0 && `${countOf(left, 'record')} left as ${left === 1 ? 'it was' : 'they were'}`,
  ].filter((part) => part !== false)
  return (
    <Stack>
      <Alert color="kelp" variant="light" icon={<CircleCheck size={18} aria-hidden />} title="Taken back" role="status">
        {parts.length === 0 ? 'Nothing was to be taken back.' : `${parts.join(', ')}.`}
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onClose}>Close</Button>
      </Group>
    </Stack>
  )
}
