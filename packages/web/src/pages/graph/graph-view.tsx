import type { GraphNode } from '@holdfast/client/dashboard'
import { Button, CloseButton, Drawer, Group, Skeleton, Text } from '@mantine/core'
import { Unlink } from 'lucide-react'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useState, type ComponentProps, type ReactNode } from 'react'
import type { OutputOf } from '../../api/call.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { GraphLegend } from './graph-legend.tsx'
import classes from './graph-page.module.css'
import { isEntity, type MapNode, type Shown } from './graph-model.ts'
import type { ChangeState, GraphState } from './graph-state.ts'
import { GraphSummary } from './graph-summary.tsx'
import { GraphTable } from './graph-table.tsx'
import { GroupList, useGroupColors, useGroups } from './group-list.tsx'
import { LinkForm } from './link-form.tsx'
import { LinkPanel } from './link-panel.tsx'
import { NodeMenu } from './node-menu.tsx'
import { NodePanel } from './node-panel.tsx'
import type { Place } from './positions.ts'
import { TimeBar, useTimeline, type Timeline } from './time-bar.tsx'
import { useGraph } from './use-graph.ts'
import { useLook } from './use-look.ts'
import { canDraw } from './web-gl.ts'

/** Loaded separately, and only in browsers with WebGL. */
const loadMap = () => import('./graph-map.tsx')
const GraphMap = lazy(async () => ({ default: (await loadMap()).GraphMap }))

/** Starts loading the map while the graph is still being queried. */
export const prepareMap = () => {
  if (canDraw()) void loadMap()
}

interface Props {
  vaultId: string
  state: GraphState
  setState: ChangeState
  base: OutputOf<'read-graph'>
}

/** The graph with everything expanded so far, and the selected node in a side panel. */
export function GraphView({ vaultId, state, setState, base }: Props) {
  const { shown, growth, ...graph } = useGraph(vaultId, state, base)
  const [linked, setLinked] = useState<GraphNode>()
  const hasRoom = useMediaQuery('(min-width: 1080px)', window.innerWidth >= 1080)
  const { byNode, ...groups } = useGroups(vaultId)
  const colors = useGroupColors(byNode)
  const { visible, timeline } = useTimeline(shown)
  const { pathStart, linkId, ...look } = useLook(visible, state, setState, graph.findPath)
  const chosen = visible.nodes.get(state.at)
  const isTable = state.view === 'table' || !canDraw()
  const link = linkId === undefined ? undefined : visible.edges.get(linkId)
  const nodePanel = chosen && (
    <NodePanel
      vaultId={vaultId}
      node={chosen}
      shown={visible}
      onChoose={look.choose}
      onExpand={() => graph.expand(chosen)}
      onCollapse={() => graph.collapse(chosen)}
      onLink={() => !isEntity(chosen) && setLinked(chosen)}
      onLinked={graph.noteLinked}
      onUnlinked={graph.noteUnlinked}
    />
  )
  const panel = link === undefined ? nodePanel : <LinkPanel link={link} shown={visible} onChoose={look.choose} />
  const hints = <Hints vaultId={vaultId} shown={visible} isTable={isTable} groups={groups} />
  const menu = (node: MapNode, at: Place, close: () => void) => (
    <NodeMenu
      node={node}
      at={at}
      isPinned={growth.pinned.has(node.id)}
      pathStart={pathStart}
      onClose={close}
      onOpen={() => look.choose(node.id)}
      onLink={() => !isEntity(node) && setLinked(node)}
      onStartHere={() => setState({ from: node.id, at: '', offset: 0 })}
      onMarkPath={() => look.markPath(node)}
      actions={graph}
    />
  )
  return (
    <>
      <GraphSummary
        base={base}
        state={state}
        shown={shown}
        growth={growth}
        pathStart={pathStart}
        setState={setState}
        actions={graph}
      />
      {visible.nodes.size === 0 && <NothingLinked onShow={() => setState({ unlinked: true })} />}
      <div
        hidden={visible.nodes.size === 0}
        className={hasRoom && panel !== undefined ? classes.layout : `${classes.layout} ${classes.single}`}
      >
        <div className={classes.graph}>
          {isTable ? (
            <TableView
              shown={visible}
              timeline={timeline}
              groups={groups.groups}
              byNode={byNode}
              state={state}
              setState={setState}
              onChoose={look.choose}
              onChooseLink={look.chooseLink}
            />
          ) : (
            <MapView
              shown={visible}
              timeline={timeline}
              vaultId={vaultId}
              growth={growth}
              colors={colors}
              look={look}
              actions={graph}
              menu={menu}
              legend={hasRoom && panel === undefined ? hints : undefined}
            />
          )}
        </div>
        <Side hasRoom={hasRoom} title={link === undefined ? 'Node' : 'Link'} panel={panel} onClose={look.leave}>
          {(!hasRoom || isTable) && hints}
        </Side>
      </div>
      <LinkForm vaultId={vaultId} node={linked} onClose={() => setLinked(undefined)} onLinked={graph.noteLinked} />
    </>
  )
}

/** `legend`: next to the map; undefined if it is elsewhere. */
function MapView({ legend, ...map }: ComponentProps<typeof GraphMap> & { legend: ReactNode }) {
  return (
    <div className={classes.mapBox}>
      <Suspense fallback={<Skeleton className={classes.waiting} radius="lg" aria-label="Loading" />}>
        <GraphMap {...map} />
      </Suspense>
      {legend !== undefined && (
        <details open className={classes.legendBox}>
          <summary>Legend</summary>
          {legend}
        </details>
      )}
    </div>
  )
}

interface SideProps {
  hasRoom: boolean
  title: string
  /** What is selected; undefined if nothing is. */
  panel: ReactNode
  onClose: () => void
  /** Shown while nothing is selected, and below the map where there is no room. */
  children: ReactNode
}

/** What is selected: next to the map, or over it if there is no room. */
function Side({ hasRoom, title, panel, onClose, children }: SideProps) {
  if (hasRoom && panel !== undefined)
    return (
      <aside className={classes.side} aria-label={title}>
        <Group justify="flex-end">
          <CloseButton aria-label="Close" onClick={onClose} />
        </Group>
        {panel}
      </aside>
    )
  return (
    <>
      {children}
      {!hasRoom && (
        <Drawer opened={panel !== undefined} onClose={onClose} position="right" size="min(100%, 460px)" title={title}>
          {panel}
        </Drawer>
      )}
    </>
  )
}

const NothingLinked = ({ onShow }: { onShow: () => void }) => (
  <EmptyState icon={Unlink} action={<Button onClick={onShow}>Show unlinked</Button>}>
    None of these records are linked to each other yet. Agents link what they write, and so can you.
  </EmptyState>
)

function TableView({ timeline, ...table }: ComponentProps<typeof GraphTable> & { timeline: Timeline }) {
  return (
    <>
      <div className={classes.tableBox}>
        {!canDraw() && (
          <Text mb="sm">
            This browser doesn’t support WebGL, so the graph is shown as a table with the same content.
          </Text>
        )}
        <GraphTable {...table} />
      </div>
      <TimeBar {...timeline} />
    </>
  )
}

interface HintsProps {
  vaultId: string
  shown: Shown
  isTable: boolean
  groups: Omit<ReturnType<typeof useGroups>, 'byNode'>
}

function Hints({ vaultId, shown, isTable, groups }: HintsProps) {
  return (
    <div className={classes.keys}>
      <GraphLegend shown={shown} />
      <GroupList vaultId={vaultId} shown={shown} {...groups} />
      {!isTable && (
        <details className={classes.help}>
          <summary>Mouse and keyboard</summary>
          <dl>
            {controls.map(([keys, does]) => (
              <div key={does}>
                <dt>{keys}</dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  )
}

/** What the mouse and the keys do on the map. */
const controls = [
  ['Click', 'Details of a node, or the reason for a link'],
  ['Double-click', 'Expand a node'],
  ['Drag', 'Pin a node'],
  ['Shift-click two nodes', 'Shortest path between them'],
  [<kbd key="enter">Enter</kbd>, 'Move to the nodes'],
  [<kbd key="tab">Tab</kbd>, 'Next node'],
  [<kbd key="menu">.</kbd>, 'Menu of the node'],
  [
    <>
      <kbd>+</kbd> <kbd>-</kbd>
    </>,
    'Expand and collapse the node, or zoom',
  ],
  [<kbd key="escape">Esc</kbd>, 'Leave the nodes'],
  ['Arrow keys', 'Move the view'],
] as const
