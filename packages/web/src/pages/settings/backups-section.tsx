import { Alert, Button, Progress, Stack, Text, Group } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import type { OutputOf } from '../../api/call.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { PathText } from '../../components/text/path-text.tsx'
import { countOf, formatBytes, formatMoment } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { BackUpNow, useBackUp } from './back-up-now.tsx'
import { CommandAside } from './command-aside.tsx'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { useServerCommand } from '../../shell/server-command.ts'

type Backups = NonNullable<OutputOf<'list-backups'>['backups']>

const lead = 'Each backup is a complete encrypted copy in one file. The root key isn’t included.'

export function BackupsSection() {
  const listed = useOperation('list-backups', {})
  return (
    <Loaded query={listed}>
      {({ backups }) => {
        if (backups === null)
          return <Section title="Backups">Only the owner of this server can create and see backups.</Section>
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
        <Text>This server uses PostgreSQL. Back it up with pg_dump, which also works while the server runs.</Text>
        <CodeBlock code={command} label="On a machine that can reach the database" />
      </Stack>
    </Section>
  )
}

function OwnBackups({ backups }: { backups: Backups }) {
  const holdfast = useServerCommand()
  const { items, running, lastFailure, copies } = backups
  const dataDir = useOperation('read-system', {}).data?.server?.dataDir
  const button = useRef<HTMLButtonElement>(null)
  const backUp = useBackUp()
  const isEmpty = items.length === 0 && running === null
  return (
    <>
      <Section
        title="Backups"
        lead={lead}
        {...(!isEmpty && { actions: <BackUpNow {...backUp} isSmall ref={button} /> })}
      >
        <Stack>
          {lastFailure !== null && (
            <Alert color="red" variant="light" icon={<TriangleAlert size={18} aria-hidden />} role="alert">
              The latest backup failed <Moment at={lastFailure.at} />: {lastFailure.reason}.
            </Alert>
          )}
          {running !== null && <RunningBackup running={running} />}
          {isEmpty ? (
            <>
              <div>
                <StateBadge tone="warning">No backups yet</StateBadge>
              </div>
              <Text>If this server’s disk fails, everything stored on it is lost.</Text>
              <div>
                <BackUpNow {...backUp} ref={button} />
              </div>
            </>
          ) : (
            <ul className={styles.rows} aria-label="Backups">
              {items.map((backup) => (
                <BackupRow
                  key={backup.id}
                  backup={backup}
                  isCopied={copies?.items.some(({ id }) => id === backup.id) ?? false}
                  onDeleted={() => button.current?.focus()}
                />
              ))}
            </ul>
          )}
        </Stack>
        {isEmpty && <CommandAside title="Back up on the command line" code={holdfast('backup')} />}
      </Section>
      {copies !== null && <Copies copies={copies} />}
      <Section title="Automatic backups">
        <FactList facts={automaticFacts(backups, dataDir)} />
      </Section>
      {items.length > 0 && <Restoring backups={backups} />}
    </>
  )
}

const stepLabels = {
  copying: 'Copying the database. The server keeps working.',
  checking: 'Verifying the copy',
  uploading: 'Uploading the copy to S3',
} as const

function RunningBackup({ running: { step, doneBytes, totalBytes } }: { running: NonNullable<Backups['running']> }) {
  const label = stepLabels[step]
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

function Copies({ copies: { url, problem, items } }: { copies: NonNullable<Backups['copies']> }) {
  return (
    <Section title="Copies in S3">
      <Stack>
        {problem !== null && (
          <Alert color="red" variant="light" icon={<TriangleAlert size={18} aria-hidden />}>
            The copies can’t be listed: {problem}.
          </Alert>
        )}
        <FactList
          facts={[
            ['Bucket', <PathText key="bucket" path={url} />],
            ['Copies', String(items.length)],
            ['Latest', <Moment key="latest" at={items[0]?.createdAt ?? null} never="None yet" />],
          ]}
        />
      </Stack>
    </Section>
  )
}

function automaticFacts(
  { everyHours, keep, nextAt, folder, items }: Backups,
  dataDir: string | undefined,
): (readonly [string, ReactNode])[] {
  const last = items.find(({ kind }) => kind === 'automatic')
  const folderFact = ['Folder', <Folder key="folder" folder={folder} dataDir={dataDir} />] as const
  if (everyHours === 0)
    return [
      [
        'How often',
        <Stack key="every" gap={4} align="flex-start">
          <StateBadge tone="off">Off</StateBadge>
          <Text size="sm" c="dimmed">
            To create one every day, start the server with <code>HOLDFAST_BACKUP_EVERY=24</code>.
          </Text>
        </Stack>,
      ],
      folderFact,
    ]
  return [
    ['How often', `Every ${countOf(everyHours, 'hour')}, keeping the latest ${keep}`],
    ['Last', <Moment key="last" at={last?.createdAt ?? null} never="None yet" />],
    ['Next', <Moment key="next" at={nextAt} />],
    folderFact,
  ]
}

const isInside = (folder: string, outer: string) => ['/', '\\'].some((slash) => folder.startsWith(outer + slash))

function Folder({ folder, dataDir }: { folder: string; dataDir: string | undefined }) {
  return (
    <>
      <PathText path={folder} />
      {dataDir !== undefined && isInside(folder, dataDir) && (
        <Text size="sm" c="dimmed">
          This folder is on the same disk as the data. If the disk fails, you lose both. Copy backups to another
          machine, or set <code>HOLDFAST_BACKUP_DIR</code> to a folder on another disk.
        </Text>
      )}
    </>
  )
}

function Restoring({ backups: { items } }: { backups: Backups }) {
  const holdfast = useServerCommand()
  const file = items.find(({ problem }) => problem === null)?.file
  if (file === undefined) return null
  return (
    <Section
      title="Restore a backup"
      lead="Run this on the server’s machine while the server is stopped. The current data is kept next to the restored data."
    >
      <Stack>
        <CodeBlock code={holdfast(`restore "${file}" --force`)} label="Restore the latest backup" isWrapped />
        <Text size="sm">
          Keep copies of the backups and of the root key on other machines, but not together: anyone who has both can
          read everything. A restored backup has the passwords and keys from when it was created.
        </Text>
      </Stack>
    </Section>
  )
}

/** Why there is a backup that nobody asked for. */
function Reason({ backup: { kind, version, expiresAt } }: Pick<Props, 'backup'>) {
  if (kind === 'automatic') return 'automatic · '
  if (kind !== 'before-update') return null
  return (
    <>
      before the update to {version}, will be deleted <Moment at={expiresAt} /> ·{' '}
    </>
  )
}

const refreshes = ['list-backups', 'check-system'] as const

interface Props {
  backup: Backups['items'][number]
  /** Whether it is in S3 too. */
  isCopied: boolean
  /** Called after the row and its focused button are gone. */
  onDeleted: () => void
}

function BackupRow({ backup, isCopied, onDeleted }: Props) {
  const { id, file, bytes, createdAt, checkedAt, problem } = backup
  const name = formatMoment(createdAt)
  const verify = useAction('verify-backup', {
    refreshes,
    onDone: ({ backup: verified }) => toast(verified.problem === null ? 'Backup verified' : 'Backup can’t be restored'),
  })
  const remove = useAction('delete-backup', {
    refreshes,
    onDone: () => {
      toast('Backup deleted')
      onDeleted()
    },
  })
  const ask = () =>
    confirmStep({
      title: `Delete the backup of ${name}?`,
      body: isCopied ? 'This deletes the file and its copy in S3 permanently.' : 'This deletes the file permanently.',
      confirmLabel: 'Delete',
      onConfirm: () => remove.mutate({ id }, { onError: (error) => toastError(error) }),
    })
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.name}>
          {name}
          <StateBadge tone={problem === null ? 'good' : 'bad'}>
            {problem === null ? 'Verified' : 'Can’t be restored'}
          </StateBadge>
        </div>
        <Text size="sm" c="dimmed">
          {formatBytes(bytes)} · <Reason backup={backup} />
          verified <Moment at={checkedAt} />
          {isCopied && ' · also in S3'}
        </Text>
        {problem !== null && <Text size="sm">{problem}</Text>}
        <Text size="xs" c="dimmed" component="code">
          {file.slice(file.lastIndexOf('/') + 1)}
        </Text>
      </div>
      <Group gap="xs" className={styles.buttons}>
        <Button
          size="xs"
          variant="default"
          onClick={() => verify.mutate({ id }, { onError: (error) => toastError(error) })}
          loading={verify.isPending}
          aria-label={`Verify the backup of ${name}`}
        >
          Verify
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={ask}
          loading={remove.isPending}
          aria-label={`Delete the backup of ${name}`}
        >
          Delete
        </Button>
      </Group>
    </li>
  )
}
