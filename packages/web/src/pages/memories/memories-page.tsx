import { Alert, Button, Drawer, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Brain, Info, Plus, SearchX } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useOne, usePage, type PageOf } from '../../api/queries.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { NewRows, useSteadyRows } from '../../components/lists/steady-rows.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { useRowKeys } from '../../components/lists/use-row-keys.ts'
import { useSelection } from '../../components/lists/selection.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { BulkBar } from './bulk-bar.tsx'
import { MemoryDetail } from './memory-detail.tsx'
import { inputOf, isNarrowed, shown, stateOf, withoutFilter, type MemoryFilter } from './memory-filter.ts'
import { MemoryFilters } from './memory-filters.tsx'
import { MemoryForm } from '../../components/records/memory-form.tsx'
import { MemoryTable } from './memory-table.tsx'
import { useMemoryActions } from '../../components/records/use-memory-actions.ts'

export function MemoriesPage() {
  const [filter, setFilter] = useUrlState(shown)
  const openNew = () => setFilter({ new: true })
  useShortcut('c', 'New memory', openNew)
  return (
    <Page
      title="Memories"
      lead="What your agents and you have told this vault. Looking at it here counts as no recall."
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
  setFilter: (changes: Partial<MemoryFilter>) => void
}

function Memories({ vaultId, filter, setFilter }: Props) {
  const { memoryId }: { memoryId?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(max-width: 767px)')
  const input = inputOf(filter, vaultId)
  const memories = usePage('list-memories', input)
  const name = memories.isPlaceholderData ? undefined : JSON.stringify(input)
  const open = useCallback((id: string) => void navigate({ to: `/memories/${id}`, search: true }), [navigate])
  const close = () => void navigate({ to: '/memories', search: true })
  return (
    <>
      <MemoryFilters vaultId={vaultId} isListed={memories.data !== undefined} filter={filter} setFilter={setFilter} />
      <Loaded query={memories}>
        {(page) =>
          page.total === 0 ? (
            <Nothing filter={filter} setFilter={setFilter} />
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
      <Drawer
        opened={memoryId !== undefined}
        onClose={close}
        position="right"
        size={isNarrow ? '100%' : 620}
        title="Memory"
      >
        {memoryId !== undefined && <MemoryDetail key={memoryId} vaultId={vaultId} id={memoryId} onGone={close} />}
      </Drawer>
    </>
  )
}

interface ListProps {
  vaultId: string
  page: PageOf<'list-memories'>
  /** Of what the page is, once it is there. */
  name: string | undefined
  onOpen: (id: string) => void
  onOffset: (offset: number) => void
}

function List({ vaultId, page, name, onOpen, onOffset }: ListProps) {
  const { rows, newCount, showNew } = useSteadyRows(page.memories, { idOf: ({ id }) => id, name })
  const ids = rows.map(({ id }) => id)
  const selection = useSelection(ids)
  const [editedId, setEdited] = useState<string>()
  const { archive } = useMemoryActions(vaultId)
  const { setCurrent } = useRowKeys(ids, { toggle: selection.toggle, edit: setEdited, archive: (id) => archive([id]) })
  useShortcut('Escape', 'Clear the selection', selection.clear)
  const selected = rows.filter(({ id }) => selection.ids.includes(id))
  return (
    <>
      {page.degraded?.map(({ leg, reason }) => (
        <Alert key={leg} color="yellow" variant="light" icon={<Info size={16} aria-hidden />} mb="sm">
          The search is poorer than it could be: {reason}
        </Alert>
      ))}
      <NewRows count={newCount} onShow={showNew} />
      <MemoryTable memories={rows} selection={selection} onOpen={onOpen} onFocus={setCurrent} />
      <Pager page={page} onOffset={onOffset} />
      {selected.length > 0 && <BulkBar vaultId={vaultId} memories={selected} onDone={selection.clear} />}
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

function Nothing({ filter, setFilter }: Pick<Props, 'filter' | 'setFilter'>) {
  if (isNarrowed(filter))
    return (
      <EmptyState
        icon={SearchX}
        action={
          <Button variant="default" onClick={() => setFilter(withoutFilter)}>
            Clear the filter
          </Button>
        }
      >
        No memory is like that.
      </EmptyState>
    )
  if (stateOf(filter) === 'archived') return <Text c="dimmed">Nothing is archived.</Text>
  return (
    <EmptyState
      icon={Brain}
      action={<Button renderRoot={(props) => <Link {...props} to="/connect" />}>Connect an agent</Button>}
      command="npm run -s holdfast -- import auto ./notes"
    >
      Nothing remembered yet. Connect an agent, write the first memory yourself, or import what you have.
    </EmptyState>
  )
}
