import { Button, Group, Tabs, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { CalendarClock, Trash2 } from 'lucide-react'
import { useOperation } from '../../api/queries.ts'
import type { OutputOf } from '../../api/call.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { LeftOut, type Page as ListPage } from '../../components/lists/left-out.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { KeepDialog } from './keep-dialog.tsx'
import { kinds, wordsOf, type Kind, trashUrl } from './trash-state.ts'
import { TrashTable } from './trash-table.tsx'
import { useTrashRecords } from './use-trash-records.ts'
import { OnlyFor, ViewerNote } from '../../components/frame/only-for.tsx'

export function TrashPage() {
  return (
    <Page title="Trash" lead="Agents can’t find what is here. You can restore it or delete it permanently.">
      <ViewerNote />
      <InVault>{({ id }) => <Trash vaultId={id} />}</InVault>
    </Page>
  )
}

const titles: Readonly<Record<Kind, string>> = { memories: 'Memories', tasks: 'Tasks', notes: 'Notes' }

function Trash({ vaultId }: { vaultId: string }) {
  const [{ show: kind, offset }, setState] = useUrlState(trashUrl)
  const { data } = useOperation('read-trash', { vaultId })
  if (data !== undefined && kinds.every((each) => data.trash[each] === 0))
    return (
      <EmptyState icon={Trash2} action={<SetRetention vaultId={vaultId} archivedDays={data.trash.archivedDays} />}>
        The trash is empty. {describeAllRetention(data.trash.archivedDays)}
      </EmptyState>
    )
  return (
    <Tabs value={kind} onChange={(next) => setState({ show: next ?? 'memories', offset: 0 })} keepMounted={false}>
      <Tabs.List mb="md" aria-label="Kinds">
        {kinds.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {titles[each]}{' '}
            {data !== undefined && (
              <Text span size="xs" c="dimmed" ml={6}>
                {formatCount(data.trash[each])}
              </Text>
            )}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={kind}>
        <List
          key={kind}
          vaultId={vaultId}
          kind={kind}
          archivedDays={data?.trash.archivedDays ?? null}
          isKnown={data !== undefined}
          offset={offset}
          onOffset={(next) => setState({ offset: next })}
        />
      </Tabs.Panel>
    </Tabs>
  )
}

interface ListProps {
  vaultId: string
  kind: Kind
  archivedDays: OutputOf<'read-trash'>['trash']['archivedDays']
  /** Whether that is the vault's setting. Until then, its place is empty: the trash may be, too, and has another button. */
  isKnown: boolean
  offset: number
  onOffset: (offset: number) => void
}

function List({ vaultId, kind, archivedDays, isKnown, offset, onOffset }: ListProps) {
  const { query, rows } = useTrashRecords(vaultId, kind, offset)
  return (
    <>
      {kind !== 'notes' && (
        <div style={{ visibility: isKnown ? 'visible' : 'hidden' }}>
          <Retention vaultId={vaultId} kind={kind} archivedDays={archivedDays} />
        </div>
      )}
      <Rows vaultId={vaultId} kind={kind} archivedDays={archivedDays} onOffset={onOffset} query={query} rows={rows} />
    </>
  )
}

/** How long archived records are kept, and the button that changes it. */
const Retention = ({ vaultId, kind, archivedDays }: Pick<ListProps, 'vaultId' | 'kind' | 'archivedDays'>) => (
  <Group gap="sm" justify="space-between" mb="sm">
    <Text size="sm" c="dimmed">
      {describeRetention(kind, archivedDays)}
    </Text>
    <SetRetention vaultId={vaultId} archivedDays={archivedDays} />
  </Group>
)

function SetRetention({ vaultId, archivedDays }: Pick<ListProps, 'vaultId' | 'archivedDays'>) {
  const [isSetting, setting] = useDisclosure()
  return (
    <>
      <OnlyFor needs="admin">
        <Button
          variant="default"
          size="xs"
          leftSection={<CalendarClock size={14} aria-hidden />}
          onClick={setting.open}
        >
          Delete automatically…
        </Button>
      </OnlyFor>
      {isSetting && <KeepDialog vaultId={vaultId} archivedDays={archivedDays} onClose={setting.close} />}
    </>
  )
}

type RowsProps = Omit<ListProps, 'offset' | 'isKnown'> & ReturnType<typeof useTrashRecords>

function Rows({ vaultId, kind, archivedDays, onOffset, query, rows }: RowsProps) {
  return (
    <Loaded<ListPage & { total: number; limit: number; offset: number; hasMore: boolean }> query={query}>
      {(page) =>
        page.total === 0 ? (
          <EmptyTrash kind={kind} />
        ) : (
          <>
            {kind === 'notes' && (
              <Text size="sm" c="dimmed" mb="sm">
                {describeRetention(kind, archivedDays)}
              </Text>
            )}
            <LeftOut pages={[page]} />
            <TrashTable vaultId={vaultId} kind={kind} rows={rows} archivedDays={archivedDays} />
            <Pager page={page} onOffset={onOffset} />
          </>
        )
      }
    </Loaded>
  )
}

function describeRetention(what: Kind | 'memories and tasks', archivedDays: number | null): string {
  if (what === 'notes') return 'Notes stay here until you delete them.'
  if (archivedDays === null) return `Archived ${what} stay here until you delete them.`
  return `Archived ${what} are deleted permanently ${countOf(archivedDays, 'day')} after they were archived.`
}

const describeAllRetention = (archivedDays: number | null): string =>
  archivedDays === null
    ? 'Archived memories and tasks, and deleted notes, stay here until you delete them permanently.'
    : `${describeRetention('memories and tasks', archivedDays)} ${describeRetention('notes', null)}`

function EmptyTrash({ kind }: { kind: Kind }) {
  const { many, path } = wordsOf[kind]
  return (
    <EmptyState
      icon={Trash2}
      action={
        <Button variant="default" renderRoot={(props) => <Link {...props} to={path} />}>
          All {many}
        </Button>
      }
    >
      {kind === 'notes' ? 'No notes in the trash.' : `No archived ${many}.`}
    </EmptyState>
  )
}
