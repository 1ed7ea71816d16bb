import { Anchor, Button } from '@mantine/core'
import { useRef, type RefObject } from 'react'
import type { OutputOf } from '../../api/call.ts'
import { useFocusAfter } from '../../components/feedback/use-focus-after.ts'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { isEntity, maxShown, nameOf, type MapNode, type Shown } from './graph-model.ts'
import classes from './graph-page.module.css'
import { maxCount, type ChangeState, type GraphState, graphUrl } from './graph-state.ts'
import type { useGraph } from './use-graph.ts'

interface Props {
  base: OutputOf<'read-graph'>
  state: GraphState
  shown: Shown
  growth: ReturnType<typeof useGraph>['growth']
  pathStart: MapNode | undefined
  setState: ChangeState
  actions: Pick<ReturnType<typeof useGraph>, 'showHidden' | 'leavePath'>
}

/** How many of the vault's nodes are shown, and how they were chosen. */
export function GraphSummary({ base, state, shown, growth, pathStart, setState, actions }: Props) {
  const { path, hidden } = growth
  const summary = useRef<HTMLDivElement>(null)
  const notLoaded = Math.max(0, base.totalNodes - shown.loaded)
  const [first, last] = [path[0], path.at(-1)]
  return (
    <div ref={summary} tabIndex={-1} className={classes.summary} role="status">
      <span>{reasonOf(base, state, shown, growth.expansions.size + growth.more.length > 0)}</span>
      {shown.unlinked > 0 && (
        <span>
          <Anchor component="button" type="button" inherit onClick={() => setState({ unlinked: !state.unlinked })}>
            {`${state.unlinked ? 'Hide' : 'Show'} ${formatCount(shown.unlinked)} unlinked`}
          </Anchor>
        </span>
      )}
      {notLoaded > 0 && (
        <NotLoaded count={notLoaded} base={base} shown={shown} state={state} setState={setState} summary={summary} />
      )}
      {shown.leftOut > 0 && (
        <span>
          {countOf(shown.leftOut, 'node')} over the limit of {formatCount(maxShown)}
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

interface NotLoadedProps extends Pick<Props, 'base' | 'shown' | 'state' | 'setState'> {
  count: number
  summary: RefObject<HTMLElement | null>
}

/** What the vault has beyond this graph, and how to get there. */
function NotLoaded({ count, base, shown, state, setState, summary }: NotLoadedProps) {
  // What was expanded doesn't count toward the limit of one answer.
  if (state.from === '' && base.nodes.length < maxCount)
    return <LoadMore total={base.totalNodes} onLoad={() => setState({ count: maxCount })} summary={summary} />
  return (
    <span title={whereToFind(state)}>
      {formatCount(count)} not loaded{count > shown.loaded && `. ${whereToFind(state)}`}
    </span>
  )
}

interface LoadProps extends Pick<NotLoadedProps, 'summary'> {
  total: number
  onLoad: () => void
}

function LoadMore({ total, onLoad, summary }: LoadProps) {
  const noteUse = useFocusAfter(() => summary.current)
  const load = () => {
    noteUse()
    onLoad()
  }
  return (
    <span>
      <Anchor component="button" type="button" inherit onClick={load}>
        {total > maxCount ? `Load the ${maxCount} most connected` : 'Load all'}
      </Anchor>
    </span>
  )
}

const whereToFind = ({ from }: GraphState) =>
  from === ''
    ? 'They are less connected. Start at a record to see what is around it.'
    : 'They are farther away. Raise the number of links to see more.'

function reasonOf(base: OutputOf<'read-graph'>, state: GraphState, shown: Shown, hasGrown: boolean): string {
  const records = [...shown.nodes.values()].filter((node) => !isEntity(node)).length
  const entities = shown.nodes.size - records
  const { totalNodes } = base
  const all = `${countOf(totalNodes, 'record')}${graphUrl.isFiltered(state) ? ' that match the filter' : ''}`
  const count = records >= totalNodes ? `All ${all}` : `${formatCount(records)} of ${all}`
  const added = hasGrown ? ', plus what you added' : ''
  const about = entities === 0 ? '' : ` · ${countOf(entities, 'entity', 'entities')}`
  const [begin] = base.nodes
  if (state.from === '' || begin === undefined) return `${count}${added}${about}`
  const around = `nodes within ${countOf(state.depth, 'link')} of “${clip(nameOf(begin))}”`
  const cut = base.truncated ? ', nearest and most important first' : ''
  return `${formatCount(records)} of ${formatCount(totalNodes)}: ${around}${cut}${added}${about}`
}

const longest = 48
const clip = (name: string) => (name.length > longest ? `${name.slice(0, longest - 1).trimEnd()}…` : name)
