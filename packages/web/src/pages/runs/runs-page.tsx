import { useNavigate } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { useState } from 'react'
import { usePage, type PageOf } from '../../api/queries.ts'
import { useNow } from '../../components/text/moment.tsx'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { NewRows, useSteadyRows } from '../../components/lists/steady-rows.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { useRowFocus } from '../../components/lists/use-row-keys.ts'
import { useMay } from '../../shell/role.ts'
import { useShortcut } from '../../shell/shortcuts.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { inputOf, type RunFilter, runUrl } from './run-filter.ts'
import { RevertRun } from './revert-run.tsx'
import { RunFilters } from './run-filters.tsx'
import { RunTable } from './run-table.tsx'
import { titleOfRun } from './run-work.ts'
import { NoMatches } from '../../components/lists/record-list.tsx'
import { holdfast } from '../../command-line.ts'

export function RunsPage() {
  return (
    <Page title="Runs" lead="What your agents called, read and stored in each session.">
      <InVault>{({ id }) => <Runs vaultId={id} />}</InVault>
    </Page>
  )
}

function Runs({ vaultId }: { vaultId: string }) {
  const [filter, setFilter] = useUrlState(runUrl)
  const input = inputOf(filter, vaultId, new Date(useNow()))
  const runs = usePage('list-runs', input)
  const name = runs.isPlaceholderData ? undefined : JSON.stringify(input)
  return (
    <>
      <RunFilters vaultId={vaultId} filter={filter} setFilter={setFilter} />
      <Loaded query={runs}>
        {(page) =>
          page.total === 0 ? (
            <EmptyRuns filter={filter} onClear={() => setFilter(runUrl.noFilter)} />
          ) : (
            <List vaultId={vaultId} page={page} name={name} onOffset={(offset) => setFilter({ offset })} />
          )
        }
      </Loaded>
    </>
  )
}

interface ListProps {
  vaultId: string
  page: PageOf<'list-runs'>
  /** Identifies the list; undefined while the previous one is still shown. */
  name: string | undefined
  onOffset: (offset: number) => void
}

function List({ vaultId, page, name, onOffset }: ListProps) {
  const navigate = useNavigate()
  const { rows, newCount, showNew } = useSteadyRows(page.runs, { idOf: ({ id }) => id, name })
  const { current, setCurrent } = useRowFocus(rows.map(({ id }) => id))
  const [undoing, setUndoing] = useState<string>()
  const undone = rows.find(({ id }) => id === undoing)
  const close = () => {
    setUndoing(undefined)
    // The list goes on where it was left.
    document.querySelector<HTMLElement>(`[data-row="${undoing}"]`)?.focus()
  }
  const mayEdit = useMay('editor')
  useShortcut(mayEdit ? 'u' : undefined, 'Undo the writes of the focused run', () => setUndoing(current))
  return (
    <>
      <NewRows count={newCount} onShow={showNew} />
      <RunTable
        runs={rows}
        onOpen={(id) => void navigate({ to: `/runs/${id}` })}
        onFocus={setCurrent}
        onUndo={mayEdit ? setUndoing : undefined}
      />
      <Pager page={page} onOffset={onOffset} />
      {undone !== undefined && (
        <RevertRun vaultId={vaultId} id={undone.id} title={titleOfRun(undone)} onClose={close} />
      )}
    </>
  )
}

function EmptyRuns({ filter, onClear }: { filter: RunFilter; onClear: () => void }) {
  if (runUrl.isFiltered(filter)) return <NoMatches what="runs" onClear={onClear} />
  return (
    <EmptyState icon={Waypoints} action={<ConnectAgent />} command={holdfast('connect claude-code')}>
      No runs yet. Connect an agent, and its sessions appear here.
    </EmptyState>
  )
}
