import { Alert, Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Brain, Info, Plus } from 'lucide-react'
import { useState } from 'react'
import { useOne, usePage, type PageOf } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { NewRows, useSteadyRows } from '../../components/lists/steady-rows.tsx'
import { LeftOut } from '../../components/lists/left-out.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useUrlState, type Changes } from '../../shell/url-state.ts'
import { MemoryBulkBar } from './bulk-bar.tsx'
import { MemoryDetail } from './memory-detail.tsx'
import { inputOf, type MemoryFilter, memoryUrl } from './memory-filter.ts'
import { MemoryFilters } from './memory-filters.tsx'
import { MemoryForm } from '../../components/records/memory-form.tsx'
import { MemoryTable } from './memory-table.tsx'
import { useMemoryActions } from '../../components/records/use-memory-actions.ts'
import { NoMatches, RecordDrawer, useOpenRecord, useSelectableRows } from '../../components/lists/record-list.tsx'
import { useServerCommand } from '../../shell/server-command.ts'

export function MemoriesPage() {
  const [filter, setFilter] = useUrlState(memoryUrl)
  const openNew = () => setFilter({ new: true })
  useShortcut('c', 'New memory', openNew)
  return (
    <Page
      title="Memories"
      lead="Everything you and your agents have stored in this vault. Viewing a memory here doesn’t count as a recall."
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={openNew}>
          New memory
        </Button>
      }
    >
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
  const { openId, open, close } = useOpenRecord('/memories', 'memoryId')
  const input = inputOf(filter, vaultId)
  const memories = usePage('list-memories', input)
  const name = memories.isPlaceholderData ? undefined : JSON.stringify(input)
  return (
    <>
      <MemoryFilters vaultId={vaultId} isListed={memories.data !== undefined} filter={filter} setFilter={setFilter} />
      <Loaded query={memories}>
        {(page) =>
          page.total === 0 ? (
            <EmptyMemories filter={filter} setFilter={setFilter} />
          ) : (
            <List
              vaultId={vaultId}
              page={page}
              name={name}
              onOpen={open}
              onOffset={(offset) => setFilter({ offset })}
            />
          )
        }
      </Loaded>
      <MemoryForm isOpen={filter.new} onClose={() => setFilter({ new: false })} vaultId={vaultId} onWritten={open} />
      <RecordDrawer title="Memory" openId={openId} onClose={close}>
        {(id) => <MemoryDetail key={id} vaultId={vaultId} id={id} onGone={close} />}
      </RecordDrawer>
    </>
  )
}

interface ListProps {
  vaultId: string
  page: PageOf<'list-memories'>
  /** Identifies the page's query; undefined while it loads. */
  name: string | undefined
  onOpen: (id: string) => void
  onOffset: (offset: number) => void
}

function List({ vaultId, page, name, onOpen, onOffset }: ListProps) {
  const { rows, newCount, showNew } = useSteadyRows(page.memories, { idOf: ({ id }) => id, name })
  const [editedId, setEdited] = useState<string>()
  const { archive } = useMemoryActions(vaultId)
  const { selection, selected, setCurrent } = useSelectableRows(rows, ({ id }) => id, {
    edit: setEdited,
    archive: (id) => archive([id]),
  })
  return (
    <>
      {page.degraded?.map(({ leg, reason }) => (
        <Alert key={leg} color="yellow" variant="light" icon={<Info size={16} aria-hidden />} mb="sm">
          Search is limited: {reason}
        </Alert>
      ))}
      <LeftOut pages={[page]} />
      <NewRows count={newCount} onShow={showNew} />
      <MemoryTable memories={rows} selection={selection} onOpen={onOpen} onFocus={setCurrent} />
      <Pager page={page} onOffset={onOffset} />
      {selected.length > 0 && <MemoryBulkBar vaultId={vaultId} memories={selected} onDone={selection.clear} />}
      {editedId !== undefined && <EditById vaultId={vaultId} id={editedId} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function EditById({ vaultId, id, onClose }: { vaultId: string; id: string; onClose: () => void }) {
  const found = useOne('list-memories', { vaultId, id })
  return (
    <Loaded query={found} skeleton={null}>
      {({ memory }) => <MemoryForm isOpen onClose={onClose} vaultId={vaultId} memory={memory} />}
    </Loaded>
  )
}

function EmptyMemories({ filter, setFilter }: Pick<Props, 'filter' | 'setFilter'>) {
  const holdfast = useServerCommand()
  if (memoryUrl.isFiltered(filter)) return <NoMatches what="memories" onClear={() => setFilter(memoryUrl.noFilter)} />
  if (filter.state === 'archived') return <Text c="dimmed">No archived memories.</Text>
  return (
    <EmptyState
      icon={Brain}
      action={<Button renderRoot={(props) => <Link {...props} to="/connect" />}>Connect an agent</Button>}
      command={holdfast('import auto ./notes')}
    >
      No memories yet. Connect an agent, add a memory yourself, or import existing data.
    </EmptyState>
  )
}
