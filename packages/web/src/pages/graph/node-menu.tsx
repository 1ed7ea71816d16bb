import type { GraphNode } from '@holdfast/client/dashboard'
import { Menu, UnstyledButton } from '@mantine/core'
import { Crosshair, EyeOff, ExternalLink, Link2, Minus, PanelRight, Pin, PinOff, Plus, Route } from 'lucide-react'
import classes from './graph-page.module.css'
import type { Place } from './positions.ts'
import { pathOf } from './node-mark.tsx'
import type { useGraph } from './use-graph.ts'

const iconSize = 15

interface Props {
  node: GraphNode
  /** In the picture. */
  at: Place
  isPinned: boolean
  /** Where a way is to begin, once that was chosen. */
  wayFrom: GraphNode | undefined
  onClose: () => void
  onOpen: () => void
  onLink: () => void
  onBeginHere: () => void
  /** The first time the beginning, then the end. */
  onMarkWay: () => void
  actions: Pick<ReturnType<typeof useGraph>, 'expand' | 'collapse' | 'pin' | 'unpin' | 'hide'>
}

/** What a right click or `.` offers. */
export function NodeMenu({ node, at, isPinned, wayFrom, actions, ...on }: Props) {
  const path = pathOf(node)
  const isEnd = wayFrom !== undefined && wayFrom.id !== node.id
  return (
    <Menu
      opened
      onChange={(isOpen) => !isOpen && on.onClose()}
      position="bottom-start"
      shadow="md"
      width={220}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <UnstyledButton
          className={classes.menuPlace}
          style={{ left: at.x, top: at.y }}
          tabIndex={-1}
          aria-label="Menu of the node"
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<PanelRight size={iconSize} aria-hidden />} onClick={on.onOpen}>
          Show beside
        </Menu.Item>
        <Menu.Item leftSection={<Plus size={iconSize} aria-hidden />} onClick={() => actions.expand(node)}>
          Expand
        </Menu.Item>
        <Menu.Item leftSection={<Minus size={iconSize} aria-hidden />} onClick={() => actions.collapse(node)}>
          Collapse
        </Menu.Item>
        <Menu.Item
          leftSection={isPinned ? <PinOff size={iconSize} aria-hidden /> : <Pin size={iconSize} aria-hidden />}
          onClick={() => (isPinned ? actions.unpin(node.id) : actions.pin(node.id))}
        >
          {isPinned ? 'Unpin' : 'Pin where it is'}
        </Menu.Item>
        <Menu.Item leftSection={<EyeOff size={iconSize} aria-hidden />} onClick={() => actions.hide(node)}>
          Hide
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Link2 size={iconSize} aria-hidden />} onClick={on.onLink}>
          Link to…
        </Menu.Item>
        <Menu.Item leftSection={<Route size={iconSize} aria-hidden />} onClick={on.onMarkWay}>
          {isEnd ? 'Shortest way to here' : 'Shortest way from here'}
        </Menu.Item>
        <Menu.Item leftSection={<Crosshair size={iconSize} aria-hidden />} onClick={on.onBeginHere}>
          Begin the graph here
        </Menu.Item>
        {path !== undefined && (
          <Menu.Item
            leftSection={<ExternalLink size={iconSize} aria-hidden />}
            component="a"
            href={path}
            target="_blank"
            rel="noreferrer"
          >
            Open in a new tab
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
