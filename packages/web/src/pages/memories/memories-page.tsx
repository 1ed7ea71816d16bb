import { Alert, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Brain, Info } from 'lucide-react'
import { useOperation, usePage, type PageOf } from '../../api/queries.ts'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { NewButton } from '../../components/frame/new-button.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { NewRows, useSteadyRows } from '../../components/lists/steady-rows.tsx'
import { LeftOut } from '../../components/lists/left-out.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useUrlState, type Changes } from '../../shell/url-state.ts'
import { MemoryBulkBar } from './bulk-bar.tsx'
import { MemoryDetail } from './memory-detail.tsx'
import { inputOf, sortOf, type MemoryFilter, memoryUrl } from './memory-filter.ts'
import { MemoryFilters } from './memory-filters.tsx'
import { MemoryForm } from '../../components/records/memory-form.tsx'
import { memoryLooks } from './memory-looks.tsx'
import { countMemories, useMemoryActions } from '../../components/records/use-memory-actions.ts'
import { NoMatches, useSelectableRows } from '../../components/lists/record-list.tsx'
import { ListWithPanel } from '../../components/lists/record-panel.tsx'
import { RecordRows } from '../../components/lists/record-rows.tsx'
import { useOpenRecord, type OpenRecord } from '../../components/lists/use-open-record.ts'
import { useServerCommand } from '../../shell/server-command.ts'
import { useVaults } from '../../shell/vault.ts'
import { useMay } from '../../shell/role.ts'
import { OnlyFor, ViewerNote } from '../../components/frame/only-for.tsx'

export function MemoriesPage() {
  const [filter, setFilter] = useUrlState(memoryUrl)
  const { vault } = useVaults()
  const openNew = () => setFilter({ new: true })
  useShortcut(useMay('editor') ? 'c' : undefined, 'New memory', openNew)
  return (
    <Page
      title="Memories"
      lead="What you and your agents have stored in this vault. Viewing a memory here doesn’t count as a recall."
      actions={
        <OnlyFor needs="editor">
          <NewButton isEmpty={vault?.memoryCount === 0} onClick={openNew}>
            New memory
          </NewButton>
        </OnlyFor>
      }
    >
      <ViewerNote />
      <InVault>{({ id }) => <Memories vaultId={id} filter={filter} setFilter={setFilter} />}</InVault>
    </Page>
  )
}

interface Props {
  vaultId: string
  filter: MemoryFilter
  setFilter: (changes: Changes<MemoryFilter>) => void
}

function Memories({ vaultId, filter, setFilter }: Props) {
  const record = useOpenRecord('/memories', 'memoryId')
  const mayEdit = useMay('editor')
  const input = inputOf(filter, vaultId)
  const memories = usePage('list-memories', input)
  const name = memories.isPlaceholderData ? undefined : JSON.stringify(input)
  const filters = (
    <MemoryFilters vaultId={vaultId} isListed={memories.data !== undefined} filter={filter} setFilter={setFilter} />
  )
  const list = (
    <Loaded query={memories}>
      {(page) =>
        page.total === 0 ? (
          <EmptyMemories vaultId={vaultId} filter={filter} setFilter={setFilter} />
        ) : (
          <List vaultId={vaultId} page={page} name={name} record={record} filter={filter} setFilter={setFilter} />
        )
      }
    </Loaded>
  )
  return (
    <>
      <ListWithPanel record={record} title="Memory" back="All memories" canEdit filters={filters} list={list}>
        {(id) => <MemoryDetail vaultId={vaultId} record={record} id={id} />}
      </ListWithPanel>
      <MemoryForm
        isOpen={filter.new && mayEdit}
        onClose={() => setFilter({ new: false })}
        vaultId={vaultId}
        onWritten={record.open}
      />
    </>
  )
}

/** The most memories that a search lists. */
const maxFound = 100

/** Says how a search is sorted, because no column's title does. */
function countFound({ q, sort }: MemoryFilter, total: number): string {
  if (q === '') return countMemories(total)
  const count = total >= maxFound ? `Best ${maxFound} matches` : countMemories(total)
  return sort === '' ? `${count}, best match first` : count
}

interface ListProps extends Props {
  page: PageOf<'list-memories'>
  /** Identifies the page's query; undefined while it loads. */
  name: string | undefined
  record: OpenRecord
}

function List({ vaultId, page, name, record, filter, setFilter }: ListProps) {
  const { rows, newCount, showNew } = useSteadyRows(page.memories, { idOf: memoryLooks.idOf, name })
  const { archive } = useMemoryActions(vaultId)
  const { selection, selected, setCurrent } = useSelectableRows(rows, memoryLooks.idOf, {
    edit: record.edit,
    archive: (id) => archive([id]),
    opened: record,
  })
  return (
    <>
      {page.degraded?.map(({ reason }) => (
        <Alert key={reason} color="yellow" variant="light" icon={<Info size={16} aria-hidden />} mb="sm">
          Search is limited: {reason}
        </Alert>
      ))}
      <LeftOut pages={[page]} />
      <NewRows count={newCount} onShow={showNew} />
      <RecordRows
        looks={memoryLooks}
        rows={rows}
        count={countFound(filter, page.total)}
        marked={filter.q}
        selection={selection}
        record={record}
        onFocus={setCurrent}
        sort={sortOf(filter)}
        onSort={(sort) => setFilter({ sort, offset: 0 })}
      />
      <Pager page={page} onOffset={(offset) => setFilter({ offset })} />
      {selected.length > 0 && <MemoryBulkBar vaultId={vaultId} memories={selected} onDone={selection.clear} />}
    </>
  )
}

function EmptyMemories({ vaultId, filter, setFilter }: Props) {
  const holdfast = useServerCommand()
  const isOwn = useMay('owner')
  const { data: facets, isPending } = useOperation('count-memories', { vaultId, state: filter.state })
  const isFiltered = memoryUrl.isFiltered(filter)
  if (isFiltered && isPending) return null
  // In an empty vault, the filter isn't the reason.
  if (facets?.states.all !== 0) {
    if (isFiltered) return <NoMatches what="memories" onClear={() => setFilter(memoryUrl.noFilter)} />
    if (filter.state === 'archived') return <Text c="dimmed">No archived memories.</Text>
    if (filter.state === 'superseded') return <Text c="dimmed">No superseded memories.</Text>
  }
  if (!isOwn) return <EmptyState icon={Brain}>No memories yet.</EmptyState>
  return (
    <EmptyState
      icon={Brain}
      action={
        <Group gap="xs" justify="center">
          <ConnectAgent />
          <Button variant="subtle" renderRoot={(props) => <Link {...props} to="/transfer" />}>
            Import
          </Button>
        </Group>
      }
      command={holdfast('import auto ./notes')}
    >
      No memories yet. Connect an agent, add a memory yourself, or import existing data.
    </EmptyState>
  )
}
