import type { GraphNode } from '@holdfast/client/dashboard'
import { Button } from '@mantine/core'
import type { OutputOf } from '../../api/call.ts'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { maxShown, nameOf, type Shown } from './graph-model.ts'
import classes from './graph-page.module.css'
import { type GraphState, graphUrl } from './graph-state.ts'
import type { useGraph } from './use-graph.ts'

interface Props {
  base: OutputOf<'read-graph'>
  state: GraphState
  shown: Shown
  growth: ReturnType<typeof useGraph>['growth']
  wayFrom: GraphNode | undefined
  actions: Pick<ReturnType<typeof useGraph>, 'showHidden' | 'leavePath'>
}

/** How much of the vault is on the screen, and why just this. */
export function GraphSummary({ base, state, shown, growth, wayFrom, actions }: Props) {
  const { path, hidden } = growth
  const [first, last] = [path[0], path.at(-1)]
  return (
    <div className={classes.summary} role="status">
      <span>{reasonOf(base, state, shown, growth.expansions.size + growth.more.length > 0)}</span>
      {shown.leftOut > 0 && (
        <span>
          {countOf(shown.leftOut, 'node')} left out: no more than {formatCount(maxShown)} are drawn.
        </span>
      )}
      {wayFrom !== undefined && <span>The way begins at “{clip(nameOf(wayFrom))}”: choose where it is to lead.</span>}
      {first !== undefined && last !== undefined && (
        <>
          <span>
            {countOf(path.length - 1, 'link')} from “{clip(nameOf(first))}” to “{clip(nameOf(last))}”.
          </span>
          <Button variant="default" size="compact-xs" onClick={actions.leavePath}>
            Show the rest again
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
  const all = `${formatCount(base.totalNodes)}${graphUrl.isFiltered(state) ? ' that pass the filter' : ''}`
  const count = formatCount(shown.nodes.size)
  const [begin] = base.nodes
  if (state.from !== '' && begin !== undefined) {
    const around = `what lies within ${countOf(state.depth, 'link')} of “${clip(nameOf(begin))}”`
    const cut = base.truncated ? ', the nearest and most important first' : ''
    return `Showing ${count} of ${all}: ${around}${cut}${hasGrown ? ', and what you added' : ''}.`
  }
  if (shown.nodes.size >= base.totalNodes) return `Showing all ${all}.`
  return `Showing ${count} of ${all}: the best linked ones${hasGrown ? ', and what you added' : ''}.`
}

const longest = 48
const clip = (name: string) => (name.length > longest ? `${name.slice(0, longest - 1).trimEnd()}…` : name)
