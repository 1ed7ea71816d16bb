import { Alert, Button, Progress, Stack, Text } from '@mantine/core'
import { DatabaseBackup, Save, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import type { OutputOf } from '../../api/call.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { countOf, formatBytes } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { BackupRow } from './backup-row.tsx'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'

export type Backups = NonNullable<OutputOf<'list-backups'>['backups']>

const lead = 'Each is the whole store in one file, as sealed as it is there. The root key is in none of them.'

export function BackupsSection() {
  const listed = useOperation('list-backups', {})
  return (
    <Loaded query={listed}>
      {({ backups }) => {
        if (backups === null)
          return <Section title="Backups">Backups are made and seen by the owner of this server.</Section>
        return backups.command === null ? (
          <OwnBackups backups={backups} />
        ) : (
          <PostgresBackups command={backups.command} />
        )
      }}
    </Loaded>
  )
}

function PostgresBackups({ command }: { command: string }) {
  return (
    <Section title="Backups">
      <Stack>
        <Text>The store is PostgreSQL, whose own tool makes its backups, also while the server runs.</Text>
        <CodeBlock code={command} label="On a machine that reaches the database" />
      </Stack>
    </Section>
  )
}

function OwnBackups({ backups }: { backups: Backups }) {
  const { items, running, lastFailure } = backups
  const button = useRef<HTMLButtonElement>(null)
  const awaitedId = useRef<string>(undefined)
  const create = useAction('create-backup', {
    refreshes: ['list-backups'],
    onDone: (made) => void (awaitedId.current = made.running.id),
  })
  useEffect(() => {
    if (awaitedId.current === undefined || !items.some(({ id }) => id === awaitedId.current)) return
    toast('The backup is made and checked')
    awaitedId.current = undefined
  }, [items])
  const backUp = (
    <Button
      ref={button}
      size="xs"
      leftSection={<Save size={14} aria-hidden />}
      onClick={() => create.mutate({}, { onError: (error) => toastError(error) })}
      loading={create.isPending || running !== null}
    >
      Back up now
    </Button>
  )
  const isEmpty = items.length === 0 && running === null
  return (
    <>
      <Section title="Backups" lead={lead} isBare={isEmpty} {...(!isEmpty && { actions: backUp })}>
        <Stack>
          {lastFailure !== null && (
            <Alert color="red" variant="light" icon={<TriangleAlert size={18} aria-hidden />} role="alert">
              The latest backup could not be made, <Moment at={lastFailure.at} />: {lastFailure.reason}.
            </Alert>
          )}
          {running !== null && <RunningBackup running={running} />}
          {isEmpty ? (
            <EmptyState icon={DatabaseBackup} action={backUp} command="npm run -s holdfast -- backup">
              There is no backup yet: nothing to go back to when something goes wrong.
            </EmptyState>
          ) : (
            <ul className={styles.rows} aria-label="Backups">
              {items.map((backup) => (
                <BackupRow key={backup.id} backup={backup} onDeleted={() => button.current?.focus()} />
              ))}
            </ul>
          )}
        </Stack>
      </Section>
      <Section title="Automatic backups">
        <FactList facts={automaticFacts(backups)} />
      </Section>
      {items.length > 0 && <GoingBack backups={backups} />}
    </>
  )
}

/** Asks how far it is for as long as it is shown. */
function RunningBackup({ running: { step, doneBytes, totalBytes } }: { running: NonNullable<Backups['running']> }) {
  useOperation('list-backups', {}, { refetchInterval: 500 })
  const label = step === 'copying' ? 'The store is copied, and goes on working' : 'The copy is checked'
  return (
    <div>
      <Text size="sm" mb={6} role="status">
        {label}
      </Text>
      <Progress
        value={totalBytes === 0 ? 0 : (100 * doneBytes) / totalBytes}
        aria-label={label}
        animated
        aria-valuetext={`${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`}
      />
    </div>
  )
}

function automaticFacts({ everyHours, keep, nextAt, folder, items }: Backups): (readonly [string, ReactNode])[] {
  const last = items.find(({ kind }) => kind === 'automatic')
  const lies = ['Folder', <code key="folder">{folder}</code>] as const
  if (everyHours === 0)
    return [
      [
        'How often',
        <span key="every">
          None are made. Start the server with <code>HOLDFAST_BACKUP_EVERY=24</code> for one a day.
        </span>,
      ],
      lies,
    ]
  return [
    ['How often', `every ${countOf(everyHours, 'hour')}; the latest ${keep} stay`],
    ['Last', <Moment key="last" at={last?.createdAt ?? null} never="none yet" />],
    ['Next', <Moment key="next" at={nextAt} />],
    lies,
  ]
}

function GoingBack({ backups: { items } }: { backups: Backups }) {
  const file = items.find(({ problem }) => problem === null)?.file
  if (file === undefined) return null
  return (
    <Section
      title="Go back to a backup"
      lead="On the server’s machine, with the server stopped. What is in the data folder is kept beside it."
    >
      <Stack>
        <CodeBlock
          code={`npm run -s holdfast -- restore "${file}" --force`}
          label="Puts the latest one in place"
          isWrapped
        />
        <Text size="sm">
          Keep a copy of the backups and of the root key elsewhere, and not in the same place: whoever has both reads
          everything. Passwords and keys are then as they were when the backup was made.
        </Text>
      </Stack>
    </Section>
  )
}
