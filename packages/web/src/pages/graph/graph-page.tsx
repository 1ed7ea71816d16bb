import { Button, SegmentedControl, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { SearchX, SlidersHorizontal, Workflow } from 'lucide-react'
import { useEffect } from 'react'
import { isNotFound } from '../../api/call-error.ts'
import type { OutputOf } from '../../api/call.ts'
import { keyWithoutLimit, useGrowingOperation } from '../../api/queries.ts'
import { ConnectAgent, EmptyState } from '../../components/feedback/empty-state.tsx'
import { InVault, Page } from '../../components/frame/page.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { GraphFilters } from './graph-filters.tsx'
import buttonClasses from '../../components/lists/short-button.module.css'
import classes from './graph-page.module.css'
import { inputOf, maxDepth, type ChangeState, type GraphState, graphUrl } from './graph-state.ts'
import { GraphView, prepareMap } from './graph-view.tsx'
import { NodePicker } from './node-picker.tsx'
import { canDraw } from './web-gl.ts'
import { NoMatches } from '../../components/lists/record-list.tsx'
import { useServerCommand } from '../../shell/server-command.ts'
import { ViewerNote } from '../../components/frame/only-for.tsx'

export function GraphPage() {
  const [state, setState] = useUrlState(graphUrl)
  useEffect(prepareMap, [])
  return (
    <Page
      title="Graph"
      lead="How notes and memories connect, and the entities they are about. Expand the nodes you want to explore."
    >
      <ViewerNote />
      <InVault>{({ id }) => <GraphBrowser vaultId={id} state={state} setState={setState} />}</InVault>
    </Page>
  )
}

interface Props {
  vaultId: string
  state: GraphState
  setState: ChangeState
}

function GraphBrowser({ vaultId, state, setState }: Props) {
  const input = inputOf(state, vaultId)
  const graph = useGrowingOperation('read-graph', input)
  const [hasFilters, filters] = useDisclosure(graphUrl.isFiltered(state))
  if (state.from !== '' && isNotFound(graph.error, 'nodeId'))
    return (
      <EmptyState
        icon={SearchX}
        action={<Button onClick={() => setState({ from: '', at: '' })}>Show the most connected</Button>}
      >
        Note or memory not found in this vault. It may have been deleted, or it may be in another vault.
      </EmptyState>
    )
  // Nothing to start at, or to filter.
  const isEmpty = graph.data?.totalNodes === 0 && state.from === '' && !graphUrl.isFiltered(state)
  if (isEmpty) return <EmptyGraph state={state} setState={setState} />
  return (
    <>
      <StartBar
        vaultId={vaultId}
        state={state}
        setState={setState}
        begin={graph.data?.nodes[0]}
        hasFilters={hasFilters}
        onFilters={filters.toggle}
      />
      <GraphFilters vaultId={vaultId} state={state} setState={setState} isOpen={hasFilters} />
      <Loaded query={graph} skeleton={<Skeleton className={classes.waiting} radius="lg" aria-label="Loading" />}>
        {(base) =>
          base.nodes.length === 0 ? (
            <EmptyGraph state={state} setState={setState} />
          ) : (
            // A new query starts a new graph, so the state of the old one is dropped. Loading more keeps it.
            <GraphView key={keyWithoutLimit(input)} vaultId={vaultId} state={state} setState={setState} base={base} />
          )
        }
      </Loaded>
    </>
  )
}

const depths = Array.from({ length: maxDepth }, (_, at) => String(at + 1))

interface StartProps extends Props {
  begin: OutputOf<'read-graph'>['nodes'][number] | undefined
  hasFilters: boolean
  onFilters: () => void
}

function StartBar({ vaultId, state, setState, begin, hasFilters, onFilters }: StartProps) {
  const picked = state.from === '' || begin?.id !== state.from ? undefined : begin
  return (
    <div className={classes.bar}>
      <div className={classes.begin}>
        <NodePicker
          key={picked?.id ?? ''}
          vaultId={vaultId}
          label="Start at"
          placeholder="Start at a record"
          isLabelHidden
          isFilter
          picked={picked}
          onPick={(node) => setState({ from: node?.id ?? '', at: '', offset: 0 })}
        />
      </div>
      {state.from !== '' && (
        <SegmentedControl
          aria-label="Maximum links away"
          value={String(state.depth)}
          onChange={(depth) => setState({ depth: Number(depth) })}
          data={depths.map((value) => ({ value, label: value }))}
        />
      )}
      <Button
        variant={graphUrl.isFiltered(state) ? 'light' : 'default'}
        className={buttonClasses.short}
        leftSection={<SlidersHorizontal size={15} aria-hidden />}
        aria-expanded={hasFilters}
        onClick={onFilters}
      >
        Filters
      </Button>
      {canDraw() && (
        <SegmentedControl
          aria-label="View"
          ml="auto"
          value={state.view === 'table' ? 'table' : 'map'}
          onChange={(view) => setState({ view, offset: 0 })}
          data={[
            { value: 'map', label: 'Map' },
            { value: 'table', label: 'Table' },
          ]}
        />
      )}
    </div>
  )
}

function EmptyGraph({ state, setState }: Pick<Props, 'state' | 'setState'>) {
  const holdfast = useServerCommand()
  if (graphUrl.isFiltered(state))
    return <NoMatches what="notes or memories" onClear={() => setState(graphUrl.noFilter)} />
  return (
    <EmptyState icon={Workflow} action={<ConnectAgent />} command={holdfast('import auto ./notes')}>
      Nothing to show yet. Notes, memories and the links between them appear here. Connect an agent, or import notes.
    </EmptyState>
  )
}
