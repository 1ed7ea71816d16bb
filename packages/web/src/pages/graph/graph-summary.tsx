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
  onShowUnlinked: () => void
  actions: Pick<ReturnType<typeof useGraph>, 'showHidden' | 'leavePath'>
}

/** How many of the vault's nodes are shown, and how they were chosen. */
export function GraphSummary({ base, state, shown, growth, pathStart, onShowUnlinked, actions }: Props) {
  const { path, hidden } = growth
  const [first, last] = [path[0], path.at(-1)]
  return (
    <div className={classes.summary} role="status">
      <span>{reasonOf(base, state, shown, growth.expansions.size + growth.more.length > 0)}</span>
      {shown.unlinked > 0 && !state.unlinked && (
        <>
          <span>{countOf(shown.unlinked, 'unlinked node')} hidden.</span>
          <Button variant="default" size="compact-xs" onClick={onShowUnlinked}>
            Show unlinked
          </Button>
        </>
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
  const all = `${formatCount(base.totalNodes)}${graphUrl.isFiltered(state) ? ' that match the filter' : ''}`
  const records = [...shown.nodes.values()].filter((node) => !isEntity(node)).length
  const entities = shown.nodes.size - records
  const count = formatCount(records)
  const about = entities === 0 ? '' : `, and ${countOf(entities, 'entity', 'entities')}`
  const [begin] = base.nodes
  if (state.from !== '' && begin !== undefined) {
    const around = `nodes within ${countOf(state.depth, 'link')} of “${clip(nameOf(begin))}”`
    const cut = base.truncated ? ', nearest and most important first' : ''
    return `Showing ${count} of ${all}: ${around}${cut}${hasGrown ? ', plus what you added' : ''}${about}.`
  }
  if (records >= base.totalNodes) return `Showing all ${all}${about}.`
  if (base.nodes.length >= base.totalNodes)
    return `Showing ${count} of ${all}${hasGrown ? ', plus what you added' : ''}${about}.`
  return `Showing ${count} of ${all}: the most connected${hasGrown ? ', plus what you added' : ''}${about}.`
}

const longest = 48
const clip = (name: string) => (name.length > longest ? `${name.slice(0, longest - 1).trimEnd()}…` : name)
