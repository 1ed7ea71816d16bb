import { Alert, Anchor, Button, Modal, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { call, type OutputOf } from '../../api/call.ts'
import { refresh, useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { nameWriter } from '../../components/records/writers.ts'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { toastError } from '../../shell/toasts.tsx'
import { nameOperation } from '../activity/activity-words.ts'
import { documentLooks, isDocumentType } from '../documents/document-looks.ts'
import classes from './run-page.module.css'

/** The answer to a dry run. */
type Plan = Extract<OutputOf<'revert-run'>, { dryRun: true }>
type Reverted = Extract<OutputOf<'revert-run'>, { dryRun: false }>

interface Props {
  vaultId: string
  id: string
  /** What the run is called where it was chosen. */
  title: string
  onClose: () => void
}

/** Shows what undoing a run's writes would change, then asks, then shows the result. */
export function RevertRun({ vaultId, id, title, onClose }: Props) {
  const plan = useOperation('revert-run', { vaultId, id, dryRun: true })
  const [done, setDone] = useState<Done>()
  return (
    <Modal opened onClose={onClose} title="Undo this run’s writes" size="lg">
      <Text c="dimmed" mb="sm" lineClamp={2}>
        {title}
      </Text>
      <Loaded query={plan}>
        {(found) =>
          done === undefined ? (
            found.dryRun && <Question vaultId={vaultId} id={id} plan={found} onDone={setDone} onClose={onClose} />
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
  /** Memories that are no longer superseded. */
  revived: number
  /** Texts that the run did not write. */
  restored: number
  /** Proposals that nobody had decided. */
  withdrawn: number
  /** The latest records that stay, with the reason. */
  kept: Kept[]
  keptCount: number
}

type Kept = Reverted['keptRecords'][number]

const reads = [
  'list-runs',
  'list-memories',
  'count-memories',
  'list-notes',
  'read-note',
  'list-documents',
  'list-tasks',
  'read-trash',
  'read-overview',
] as const

interface QuestionProps extends Omit<Props, 'title'> {
  plan: Plan
  onDone: (done: Done) => void
}

function Question({ vaultId, id, plan, onDone, onClose }: QuestionProps) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const { proposals } = plan
  const due = countDue(plan)
  const revert = async () => {
    setBusy(true)
    try {
      onDone(await revertAll(vaultId, id))
    } catch (error) {
      toastError(error)
    }
    setBusy(false)
    void refresh(client, reads)
  }
  return (
    <Stack>
      <PlanSections plan={plan} />
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {due + proposals === 0 ? 'Close' : 'Cancel'}
        </Button>
        {due + proposals > 0 && (
          <Button
            ref={focusInPlace}
            data-autofocus
            color="red"
            loading={isBusy}
            onKeyDown={ignoreHeldKey}
            onClick={() => void revert()}
          >
            {due > 0 ? `Undo changes to ${countOf(due, 'record')}` : `Withdraw ${countOf(proposals, 'proposal')}`}
          </Button>
        )}
      </DialogButtons>
    </Stack>
  )
}

/** For the button that Enter presses: the text above says what it does, and stays in view. */
const focusInPlace = (button: HTMLElement | null) => button?.focus({ preventScroll: true })

/** Enter that is still held from opening the dialog doesn't answer it. */
const ignoreHeldKey = (event: KeyboardEvent) => event.repeat && event.preventDefault()

const countDue = ({ matched, updated, broughtBack }: Plan) => matched + updated + broughtBack

/** What will be undone, and what stays. */
function PlanSections({ plan }: { plan: Plan }) {
  const { matched, records, updated, updates, broughtBack, broughtBackRecords } = plan
  const { left, leftCount, kept, proposals } = plan
  return (
    <>
      {countDue(plan) === 0 && proposals === 0 && (
        <Text>
          Nothing to undo: what this run wrote has been changed since, or is already archived or in the trash.
        </Text>
      )}
      {matched > 0 && (
        <div>
          <Text>
            {`Removes ${countOf(matched, 'record')} that the run created and no one else has changed since. Memories and tasks are archived, notes move to the trash, and memories that they replaced become active again. You can restore each record later.`}
          </Text>
          <RecordList label="Records to remove" records={records} count={matched} />
        </div>
      )}
      {updated > 0 && (
        <div>
          <Text>
            {`Restores the text of ${countOf(updated, 'record')} to the latest that the run didn’t write. The run’s text stays among the versions.`}
          </Text>
          <RecordList label="Texts to restore" records={updates.map(withFormerText)} count={updated} />
        </div>
      )}
      {broughtBack > 0 && (
        <div>
          <Text>{`Makes ${countOf(broughtBack, 'record')} active again that the run archived, moved to the trash or replaced with older ones.`}</Text>
          <RecordList label="Records to bring back" records={broughtBackRecords} count={broughtBack} />
        </div>
      )}
      {proposals > 0 && <Text>{`Withdraws ${countOf(proposals, 'proposal')} that you haven’t decided on yet.`}</Text>}
      {leftCount > 0 && (
        <div>
          <Title order={3}>Not undone</Title>
          <RecordList label="Not undone" records={left.map(withReason)} count={leftCount} />
        </div>
      )}
      {kept.length > 0 && (
        <Text size="sm" c="dimmed">
          The run’s other changes stay: {kept.map(describeKept).join(', ')}.
        </Text>
      )}
    </>
  )
}

/** `sent a message (2 times)`. */
function describeKept({ operation, count }: Plan['kept'][number]): string {
  const done = nameOperation(operation)
  return `${done.charAt(0).toLowerCase()}${done.slice(1)} (${count === 1 ? 'once' : `${formatCount(count)} times`})`
}

/** Reverts in batches until none remain. */
async function revertAll(vaultId: string, id: string): Promise<Done> {
  const done: Done = { archived: 0, trashed: 0, revived: 0, restored: 0, withdrawn: 0, kept: [], keptCount: 0 }
  for (let remaining = 1, isFirst = true; remaining > 0; isFirst = false) {
    const part = (await call('revert-run', { vaultId, id })) as Reverted
    // Later calls also count what earlier ones archived.
    const kept = isFirst ? [...part.keptRecords, ...part.left] : part.left
    done.kept.push(...kept)
    done.keptCount += part.left.length + (isFirst ? part.keptCount : 0)
    done.archived += part.archived.length
    done.trashed += part.trashed.length
    done.revived += part.broughtBack.length
    done.restored += part.restored.length
    done.withdrawn += part.withdrawn
    // Records that change in the meantime are skipped and must not keep the loop going.
    const isStuck = part.archived.length + part.trashed.length + part.broughtBack.length + part.restored.length === 0
    remaining = isStuck ? 0 : part.remaining
  }
  return done
}

type Shown = { type: 'memory' | 'note' | 'document'; id: string; title: string; reason?: string; to?: string }

function titleOf({ type, title }: Shown): string {
  if (type === 'document') return isDocumentType(title) ? `Document: ${documentLooks[title].title}` : title
  return title === '' ? 'Untitled' : title
}

const withReason = ({ reason, changedBy, ...record }: Kept): Shown => ({
  ...record,
  reason: changedBy === null ? reason : `changed since by ${nameWriter(changedBy)}`,
})

/** Only for a result: in a question, a link would leave the page before the answer. */
const withLink = (kept: Kept): Shown => ({
  ...withReason(kept),
  ...(kept.reason !== 'deleted' && { to: pathOf(kept) }),
})

function pathOf({ type, id, title }: Kept): string {
  if (type === 'document') return `/documents/${title}`
  return type === 'note' ? `/notes/${id}` : `/memories/${id}`
}

const withFormerText = ({ returnsTo, ...record }: Plan['updates'][number]): Shown => ({
  ...record,
  reason:
    returnsTo === null
      ? 'Empty again'
      : `Version ${returnsTo.version}, by ${nameWriter(returnsTo.writtenBy)}: ${returnsTo.preview}`,
})

function RecordList({ label, records, count }: { label: string; records: readonly Shown[]; count: number }) {
  return (
    // Focusable so that it can be scrolled by keyboard.
    <div className={classes.scroll} role="group" aria-label={label} tabIndex={0}>
      <ul className={classes.list}>
        {records.map((record) => (
          <li key={record.id}>
            {record.to === undefined ? titleOf(record) : <RecordLink to={record.to}>{titleOf(record)}</RecordLink>}
            {record.reason !== undefined && <div className={classes.reason}>{record.reason}</div>}
          </li>
        ))}
        {count > records.length && <li className={classes.reason}>and {count - records.length} more</li>}
      </ul>
    </div>
  )
}

const RecordLink = ({ to, children }: { to: string; children: string }) => (
  <Anchor renderRoot={(props) => <Link {...props} to={to} />}>{children}</Anchor>
)

function Outcome({ done, onClose }: { done: Done; onClose: () => void }) {
  const { archived, trashed, revived, restored, withdrawn, kept, keptCount } = done
  const parts = [
    archived > 0 && `${countOf(archived, 'memory', 'memories')} archived`,
    trashed > 0 && `${countOf(trashed, 'note')} moved to trash`,
    revived > 0 && `${countOf(revived, 'record')} active again`,
    restored > 0 && `${countOf(restored, 'earlier text')} restored`,
    withdrawn > 0 && `${countOf(withdrawn, 'proposal')} withdrawn`,
    keptCount > 0 && `${countOf(keptCount, 'record')} unchanged`,
  ].filter((part) => part !== false)
  return (
    <Stack>
      <Alert
        color="kelp"
        variant="light"
        icon={<CircleCheck size={18} aria-hidden />}
        title="Writes undone"
        role="status"
      >
        {parts.length === 0 ? 'Nothing to undo.' : `${parts.join(', ')}.`}
      </Alert>
      {keptCount > 0 && (
        <div>
          <Title order={3}>Not undone</Title>
          <RecordList label="Not undone" records={kept.map(withLink)} count={keptCount} />
        </div>
      )}
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
      </DialogButtons>
    </Stack>
  )
}
