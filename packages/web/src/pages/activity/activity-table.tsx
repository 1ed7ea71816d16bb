import type { ActivityEntry } from '@holdfast/client/dashboard'
import { Anchor, Popover, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { withoutHidden } from '@holdfast/transfer/text/hidden-characters'
import { Link } from '@tanstack/react-router'
import { Download, Eye, KeyRound, PencilLine, Settings2, type LucideIcon } from 'lucide-react'
import { CopyButton } from '../../components/text/code-block.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { DayRows } from '../../components/lists/day-rows.tsx'
import { firstWords } from '../../components/text/first-words.ts'
import { TimeOfDay } from '../../components/text/moment.tsx'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf, formatCount, formatExact } from '../../components/text/time-text.ts'
import { useVaults } from '../../shell/vault.ts'
import classes from './activity-table.module.css'
import type { MergedEntry } from './merge-alike.ts'
import { describeActor, describeOperation, describeStatus } from './activity-words.ts'

interface Props {
  entries: readonly MergedEntry[]
  onRecord: (recordId: string) => void
}

export function ActivityTable({ entries, onRecord }: Props) {
  return (
    <RecordTable label="Activity" heads={['Action', 'Actor', 'Vault', 'Time']}>
      <DayRows rows={entries} idOf={({ id }) => id} atOf={({ at }) => at} columns={4}>
        {(entry) => (
          <Table.Tr>
            <Table.Td>
              <What entry={entry} onRecord={onRecord} />{' '}
              <span className={classes.title}>
                <RecordTitle entry={entry} />
              </span>
              {/* Nearly all succeed, so only the others are marked. */}
              {entry.status >= 400 && (
                <span className={classes.result}>
                  <StateBadge tone={entry.status >= 500 ? 'bad' : 'off'}>{describeStatus(entry.status)}</StateBadge>
                </span>
              )}
            </Table.Td>
            <Table.Td className={classes.actor}>{describeActor(entry)}</Table.Td>
            <Table.Td>{entry.vaultId !== null && <VaultName vaultId={entry.vaultId} />}</Table.Td>
            <Table.Td className={classes.tight}>
              <TimeOfDay at={entry.at} />
            </Table.Td>
          </Table.Tr>
        )}
      </DayRows>
    </RecordTable>
  )
}

const icons: Readonly<Record<ActivityEntry['class'], LucideIcon>> = {
  content: PencilLine,
  settings: Settings2,
  'sign-in': KeyRound,
  export: Download,
  read: Eye,
}

function What({ entry, onRecord }: { entry: MergedEntry; onRecord: (recordId: string) => void }) {
  const { records, calls, recordTitle } = entry
  const Icon = icons[entry.class]
  const more = [
    calls > 1 && `${formatCount(calls)} times`,
    records > 1 && recordTitle === null && countOf(records, 'record'),
  ].filter((part) => part !== false)
  return (
    <Popover position="bottom-start" width={360} shadow="md" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.what} data-row={entry.id}>
          <Icon size={15} strokeWidth={1.8} aria-hidden className={classes.icon} />
          {describeOperation(entry)}
          {more.length > 0 && (
            <Text span c="dimmed" fw={400}>
              {' '}
              · {more.join(' · ')}
            </Text>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Details entry={entry} onRecord={onRecord} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** The current name of the entry's record, or that the record is gone. */
function RecordTitle({ entry }: { entry: ActivityEntry }) {
  const { recordTitle, recordExists, records, operation } = entry
  if (recordTitle === null)
    return recordExists === false && !leavesNothing.test(operation) ? (
      <span className={classes.quiet}>{records > 1 ? 'the first is no longer there' : 'no longer there'}</span>
    ) : null
  const address = addressOf(entry)
  const name = firstWords(withoutHidden(recordTitle)) || 'Untitled'
  return (
    <>
      {address === undefined ? (
        name
      ) : (
        <Anchor inherit renderRoot={(props) => <Link {...props} {...address} />}>
          {name}
        </Anchor>
      )}
      {records > 1 && (
        <>
          {' '}
          <span className={classes.quiet}>and {formatCount(records - 1)} more</span>
        </>
      )}
    </>
  )
}

/** After these, no one expects the record to be there. */
const leavesNothing = /^(?:erase|delete|revoke|move)-/

function Details({ entry, onRecord }: { entry: MergedEntry; onRecord: (recordId: string) => void }) {
  const { id, at, since, operation, status, address, keyLast4, recordId } = entry
  return (
    <Stack gap="sm">
      <FactList
        facts={[
          ['Time', since === undefined ? formatExact(at) : `${formatExact(since)} to ${formatExact(at)}`],
          ['Operation', <code key="operation">{operation}</code>],
          ['Status', String(status)],
          ['Address', address ?? 'this machine'],
          ...(keyLast4 === null ? [] : ([['Key', `ends with ${keyLast4}`]] as const)),
          [since === undefined ? 'Request id' : 'Latest request', <Id key="request" id={id} />],
          ...(recordId === null ? [] : ([['Record id', <Id key="record" id={recordId} />]] as const)),
        ]}
      />
      {recordId !== null && <RecordLinks entry={entry} recordId={recordId} onRecord={onRecord} />}
    </Stack>
  )
}

const Id = ({ id }: { id: string }) => (
  <span className={classes.id}>
    <code>{id.slice(-12)}</code> <CopyButton text={id} what="the id" />
  </span>
)

interface RecordProps {
  entry: ActivityEntry
  recordId: string
  onRecord: (recordId: string) => void
}

function RecordLinks({ entry, recordId, onRecord }: RecordProps) {
  const address = entry.recordExists === false ? undefined : addressOf(entry)
  return (
    <Stack gap={6} align="flex-start">
      {address !== undefined && <Anchor renderRoot={(props) => <Link {...props} {...address} />}>Open record</Anchor>}
      <Anchor component="button" type="button" onClick={() => onRecord(recordId)}>
        All activity for this record
      </Anchor>
    </Stack>
  )
}

function addressOf({ recordType, recordId, vaultId }: ActivityEntry) {
  const path = recordType === null ? undefined : pages[recordType]
  if (path === undefined || recordId === null) return undefined
  return { to: `${path}/${recordId}`, search: vaultId !== null && ofVaults.has(recordType) ? { vaultId } : {} }
}

/** The page of each record type. */
const pages: Partial<Record<NonNullable<ActivityEntry['recordType']>, string>> = {
  memories: '/memories',
  tasks: '/tasks',
  notes: '/notes',
  messages: '/messages',
  agents: '/agents',
  webhooks: '/webhooks',
}

/** Their pages name the vault in the address. */
const ofVaults: ReadonlySet<ActivityEntry['recordType']> = new Set(['memories', 'tasks', 'notes'])

function VaultName({ vaultId }: { vaultId: string }) {
  const { vaults } = useVaults()
  const vault = vaults.find(({ id }) => id === vaultId)
  if (vault !== undefined) return vault.name
  return (
    <Text span inherit c="dimmed">
      Deleted vault
    </Text>
  )
}
