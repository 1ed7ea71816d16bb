import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import { Maximize, Shuffle, ZoomIn, ZoomOut, type LucideIcon } from 'lucide-react'
import { useId, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { countOf } from '../../components/text/time-text.ts'
import { useShortcut } from '../../shell/shortcuts.ts'
import { byDegree, kindOf, nameOf, type MapNode, type Shown } from './graph-model.ts'
import classes from './graph-page.module.css'
import type { GraphScene, SceneEvents } from './graph-scene.ts'
import { titleOfKind } from './node-mark.tsx'
import type { Place } from './positions.ts'
import { TimeBar, type Timeline } from './time-bar.tsx'
import type { useGraph } from './use-graph.ts'
import { type useLook, useMapKeys } from './use-look.ts'
import { useScene } from './use-scene.ts'

interface Props {
  vaultId: string
  shown: Shown
  growth: ReturnType<typeof useGraph>['growth']
  colors: ReadonlyMap<string, string>
  look: Omit<ReturnType<typeof useLook>, 'pathStart' | 'linkId'>
  actions: Pick<ReturnType<typeof useGraph>, 'expand' | 'collapse' | 'pin'>
  timeline: Timeline
  /** The menu of a node, at a point on the map. */
  menu: (node: MapNode, at: Place, close: () => void) => ReactNode
}

const zoomStep = 1.4

export function GraphMap(props: Props) {
  const { shown, look, actions, timeline, menu } = props
  const frame = useRef<HTMLDivElement>(null)
  const [menuAt, setMenuAt] = useState<{ id: string; at: Place }>()
  const scene = useMapScene(frame, props, (id, at) => setMenuAt({ id, at }))
  const help = useId()
  const order = useMemo(() => byDegree(shown), [shown])
  const current = look.currentId === undefined ? undefined : shown.nodes.get(look.currentId)

  const keys = useMapKeys(order, current, look, scene)
  const openMenu = () => {
    const at = current && scene()?.pointOf(current.id)
    if (current !== undefined && at !== undefined) setMenuAt({ id: current.id, at })
  }
  useShortcut('+', 'Expand the node, or zoom in', () => (current ? actions.expand(current) : scene()?.zoom(zoomStep)))
  useShortcut('-', 'Collapse the node, or zoom out', () =>
    current ? actions.collapse(current) : scene()?.zoom(1 / zoomStep),
  )
  useShortcut('0', 'Fit to view', () => scene()?.fit())
  useShortcut('.', 'Open the node’s menu', openMenu)
  useShortcut('Escape', 'Deselect the node', look.leave)

  const menuNode = menuAt && shown.nodes.get(menuAt.id)
  const closeMenu = () => {
    setMenuAt(undefined)
    // Returns the focus to the map. By id, because a ref can't be read while the menu is rendered.
    document.getElementById(`${help} frame`)?.focus()
    keys.goIn()
  }
  return (
    <>
      <div className={classes.map}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application handles its own keys */}
        <div
          ref={frame}
          id={`${help} frame`}
          className={classes.canvas}
          role="application"
          aria-label={`Graph of ${countOf(shown.nodes.size, 'node')} and ${countOf(shown.edges.size, 'link')}`}
          aria-describedby={help}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
          tabIndex={0}
          onKeyDown={keys.onKeyDown}
          onBlur={keys.onBlur}
          data-nodes={shown.nodes.size}
          data-edges={shown.edges.size}
        />
        {menuAt !== undefined && menuNode !== undefined && menu(menuNode, menuAt.at, closeMenu)}
        <VisuallyHidden id={help}>
          Press Enter to move to the nodes. Tab then goes to the next node, from most to fewest links, and leaves the
          graph after the last one. Home and End go to the first and last node, Enter shows details, the period key
          opens the node’s menu. Press Escape to leave the nodes; Tab then goes to the next control. The arrow keys move
          the view, plus and minus zoom. The table view shows the same content.
        </VisuallyHidden>
        <VisuallyHidden role="status">{current !== undefined && describe(current, order)}</VisuallyHidden>
      </div>
      <div className={classes.below}>
        <TimeBar {...timeline} />
        <Controls scene={scene} />
      </div>
    </>
  )
}

const describe = (node: MapNode, order: readonly MapNode[]) =>
  `${titleOfKind(kindOf(node))}: ${nameOf(node)}, ${countOf(node.degree, 'link')}, ${order.indexOf(node) + 1} of ${order.length}`

/** Passes what the person does on the map to the page. */
function useMapScene(
  frame: RefObject<HTMLElement | null>,
  { vaultId, shown, growth, colors, look, actions }: Props,
  onMenu: SceneEvents['onMenu'],
): () => GraphScene | undefined {
  const { currentId } = look
  const { pinned } = growth
  const path = useMemo(() => new Set(growth.path.map(({ id }) => id)), [growth.path])
  const marks = useMemo(() => ({ currentId, path, pinned }), [currentId, path, pinned])
  const onNode = (id: string, act: (node: MapNode) => void) => {
    const node = shown.nodes.get(id)
    if (node !== undefined) act(node)
  }
  const onChoose = (node: MapNode, isWithShift: boolean) => (isWithShift ? look.markPath(node) : look.choose(node.id))
  return useScene(frame, {
    vaultId,
    shown,
    asked: growth,
    marks,
    colors,
    events: {
      onChoose: (id, isWithShift) => onNode(id, (node) => onChoose(node, isWithShift)),
      onChooseLink: look.chooseLink,
      onExpand: (id) => onNode(id, actions.expand),
      onPlace: actions.pin,
      onLeave: look.leave,
      onMenu,
    },
  })
}

function Controls({ scene }: { scene: () => GraphScene | undefined }) {
  return (
    <div className={classes.controls}>
      <Control label="Zoom in" icon={ZoomIn} onClick={() => scene()?.zoom(zoomStep)} />
      <Control label="Zoom out" icon={ZoomOut} onClick={() => scene()?.zoom(1 / zoomStep)} />
      <Control label="Fit to view" icon={Maximize} onClick={() => scene()?.fit()} />
      <Control label="Redo layout" icon={Shuffle} onClick={() => scene()?.arrange()} />
    </div>
  )
}

const Control = ({ label, icon: Icon, onClick }: { label: string; icon: LucideIcon; onClick: () => void }) => (
  <Tooltip label={label}>
    <ActionIcon variant="default" size={32} aria-label={label} onClick={onClick}>
      <Icon size={16} />
    </ActionIcon>
  </Tooltip>
)
