import type { GraphNode } from '@holdfast/client/dashboard'
import { CloseButton, Drawer, Group, Skeleton, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import type { OutputOf } from '../../api/call.ts'
import { GraphLegend } from './graph-legend.tsx'
import classes from './graph-page.module.css'
import type { Shown } from './graph-model.ts'
import type { ChangeState, GraphState } from './graph-state.ts'
import { GraphSummary } from './graph-summary.tsx'
import { GraphTable } from './graph-table.tsx'
import { GroupList, useGroupColors, useGroups } from './group-list.tsx'
import { LinkForm } from './link-form.tsx'
import { NodeMenu } from './node-menu.tsx'
import { NodePanel } from './node-panel.tsx'
import type { Place } from './positions.ts'
import { TimeBar, useTimeline } from './time-bar.tsx'
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
  const { pathStart, ...look } = useLook(visible, state, setState, graph.findPath)
  const chosen = visible.nodes.get(state.at)
  const isTable = state.view === 'table' || !canDraw()
  const panel = chosen && (
    <NodePanel
      vaultId={vaultId}
      node={chosen}
      onChoose={look.choose}
      onExpand={() => graph.expand(chosen)}
      onCollapse={() => graph.collapse(chosen)}
      onLink={() => setLinked(chosen)}
      onLinked={graph.noteLinked}
      onUnlinked={graph.noteUnlinked}
    />
  )
  const menu = (node: GraphNode, at: Place, close: () => void) => (
    <NodeMenu
      node={node}
      at={at}
      isPinned={growth.pinned.has(node.id)}
      pathStart={pathStart}
      onClose={close}
      onOpen={() => look.choose(node.id)}
      onLink={() => setLinked(node)}
      onStartHere={() => setState({ from: node.id, at: '', offset: 0 })}
      onMarkPath={() => look.markPath(node)}
      actions={graph}
    />
  )
  return (
    <>
      <GraphSummary base={base} state={state} shown={shown} growth={growth} pathStart={pathStart} actions={graph} />
      <TimeBar {...timeline} count={visible.nodes.size} of={shown.nodes.size} />
      <div className={hasRoom ? classes.layout : `${classes.layout} ${classes.single}`}>
        {isTable ? (
          <TableView
            groups={groups.groups}
            byNode={byNode}
            shown={visible}
            state={state}
            setState={setState}
            onChoose={look.choose}
          />
        ) : (
          <Suspense fallback={<Skeleton className={classes.waiting} radius="lg" aria-label="Loading" />}>
            <GraphMap
              vaultId={vaultId}
              shown={visible}
              growth={growth}
              colors={colors}
              look={look}
              actions={graph}
              menu={menu}
            />
          </Suspense>
        )}
        {hasRoom && panel !== undefined && (
          <aside className={classes.side} aria-label="Node">
            <Group justify="flex-end">
              <CloseButton aria-label="Close" onClick={look.leave} />
            </Group>
            {panel}
          </aside>
        )}
        {(!hasRoom || panel === undefined) && (
          <Hints vaultId={vaultId} shown={visible} isTable={isTable} groups={groups} />
        )}
      </div>
      {!hasRoom && (
        <Drawer opened={panel !== undefined} onClose={look.leave} position="right" size="min(100%, 460px)" title="Node">
          {panel}
        </Drawer>
      )}
      <LinkForm vaultId={vaultId} node={linked} onClose={() => setLinked(undefined)} onLinked={graph.noteLinked} />
    </>
  )
}

function TableView(props: Parameters<typeof GraphTable>[0]) {
  return (
    <div className={classes.tableBox}>
      {!canDraw() && (
        <Text mb="sm">This browser doesn’t support WebGL, so the graph is shown as a table with the same content.</Text>
      )}
      <GraphTable {...props} />
    </div>
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
        <Text size="xs" c="dimmed" mt="md" lh={1.7}>
          Click a node for details, double-click it to expand it, drag it to pin it. Shift-click two nodes to see the
          shortest path between them. With the keyboard, press <kbd>Enter</kbd> to move to the nodes, then{' '}
          <kbd>Tab</kbd> for the next node, <kbd>.</kbd> for its menu, <kbd>+</kbd> and <kbd>-</kbd> to expand and
          collapse it. <kbd>Esc</kbd> leaves the nodes. Then <kbd>+</kbd> and <kbd>-</kbd> zoom; the arrow keys always
          move the view.
        </Text>
      )}
    </div>
  )
}
