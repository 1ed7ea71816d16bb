import { Button } from '@mantine/core'
import type { OutputOf } from '../../api/call.ts'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { isEntity, maxShown, nameOf, type MapNode, type Shown } from './graph-model.ts'
import classes from './graph-page.module.css'
import { type GraphState, graphUrl } from './graph-state.ts'
import type { useGraph } from './use-graph.ts'

interface Props {
  base: OutputOf<'read-graph'>
  state: GraphState
  shown: Shown
  growth: ReturnType<typeof useGraph>['growth']
  pathStart: MapNode | undefined
  onUnlinked: (isShown: boolean) => void
  actions: Pick<ReturnType<typeof useGraph>, 'showHidden' | 'leavePath'>
}

/** How many of the vault's nodes are shown, and how they were chosen. */
export function GraphSummary({ base, state, shown, growth, pathStart, onUnlinked, actions }: Props) {
  const { path, hidden } = growth
  const notLoaded = Math.max(0, base.totalNodes - shown.loaded)
  const [first, last] = [path[0], path.at(-1)]
  return (
    <div className={classes.summary} role="status">
      <span>{reasonOf(base, state, shown, growth.expansions.size + growth.more.length > 0)}</span>
      {shown.unlinked > 0 && (
        <>
          {!state.unlinked && <span>{countOf(shown.unlinked, 'unlinked record')} hidden.</span>}
          <Button variant="default" size="compact-xs" onClick={() => onUnlinked(!state.unlinked)}>
            {state.unlinked ? 'Hide unlinked' : 'Show unlinked'}
          </Button>
        </>
      )}
      {notLoaded > 0 && (
        <span>
          {formatCount(notLoaded)} {state.from === '' ? 'less connected' : 'farther'}{' '}
          {notLoaded === 1 ? 'record' : 'records'} not loaded.
        </span>
      )}
      {shown.leftOut > 0 && (
        <span>
          {countOf(shown.leftOut, 'node')} not shown. The limit is {formatCount(maxShown)}.
        </span>
      )}
      {pathStart !== undefined && <span>The path starts at “{clip(nameOf(pathStart))}”. Choose its end.</span>}
      {first !== undefined && last !== undefined && (
        <>
          <span>
            {countOf(path.length - 1, 'link')} from “{clip(nameOf(first))}” to “{clip(nameOf(last))}”.
          </span>
          <Button variant="default" size="compact-xs" onClick={actions.leavePath}>
            Clear path
          </Button>
        </>
      )}
      {hidden.size > 0 && (
        <Button variant="default" size="compact-xs" onClick={actions.showHidden}>
          Show {formatCount(hidden.size)} hidden
        </Button>
      )}
    </div>
  )
}

function reasonOf(base: OutputOf<'read-graph'>, state: GraphState, shown: Shown, hasGrown: boolean): string {
  const records = [...shown.nodes.values()].filter((node) => !isEntity(node)).length
  const entities = shown.nodes.size - records
  const { totalNodes } = base
  const all = `${countOf(totalNodes, 'record')}${graphUrl.isFiltered(state) ? ' that match the filter' : ''}`
  const count = records >= totalNodes ? `all ${all}` : `${formatCount(records)} of ${all}`
  const added = hasGrown ? ', plus what you added' : ''
  const about = entities === 0 ? '' : `, and ${countOf(entities, 'entity', 'entities')}`
  const [begin] = base.nodes
  if (state.from === '' || begin === undefined) return `Showing ${count}${added}${about}.`
  const around = `nodes within ${countOf(state.depth, 'link')} of “${clip(nameOf(begin))}”`
  const cut = base.truncated ? ', nearest and most important first' : ''
  return `Showing ${formatCount(records)} of ${formatCount(totalNodes)}: ${around}${cut}${added}${about}.`
}

const longest = 48
const clip = (name: string) => (name.length > longest ? `${name.slice(0, longest - 1).trimEnd()}…` : name)
