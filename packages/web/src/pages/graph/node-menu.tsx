import { Menu, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Crosshair, EyeOff, ExternalLink, Link2, Minus, PanelRight, Pin, PinOff, Plus, Route } from 'lucide-react'
import classes from './graph-page.module.css'
import type { Place } from './positions.ts'
import { isEntity, type MapNode } from './graph-model.ts'
import { addressOf } from './node-mark.tsx'
import type { useGraph } from './use-graph.ts'
import { OnlyFor } from '../../components/frame/only-for.tsx'

const iconSize = 15

interface Props {
  node: MapNode
  /** A point on the map. */
  at: Place
  isPinned: boolean
  /** The start of a path, once chosen. */
  pathStart: MapNode | undefined
  onClose: () => void
  onOpen: () => void
  onLink: () => void
  onStartHere: () => void
  /** Sets the start of a path, then its end. */
  onMarkPath: () => void
  actions: Pick<ReturnType<typeof useGraph>, 'expand' | 'collapse' | 'pin' | 'unpin' | 'hide'>
}

/** The menu of a node, opened with a right click or `.`. */
export function NodeMenu({ node, at, isPinned, pathStart, actions, ...on }: Props) {
  const address = addressOf(node)
  const isEnd = pathStart !== undefined && pathStart.id !== node.id
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
          aria-label="Node menu"
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<PanelRight size={iconSize} aria-hidden />} onClick={on.onOpen}>
          Show details
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
          {isPinned ? 'Unpin' : 'Pin here'}
        </Menu.Item>
        <Menu.Item leftSection={<EyeOff size={iconSize} aria-hidden />} onClick={() => actions.hide(node)}>
          Hide
        </Menu.Item>
        <Menu.Divider />
        {!isEntity(node) && (
          <>
            <OnlyFor needs="editor">
              <Menu.Item leftSection={<Link2 size={iconSize} aria-hidden />} onClick={on.onLink}>
                Link to…
              </Menu.Item>
            </OnlyFor>
            <Menu.Item leftSection={<Route size={iconSize} aria-hidden />} onClick={on.onMarkPath}>
              {isEnd ? 'Shortest path to here' : 'Shortest path from here'}
            </Menu.Item>
            <Menu.Item leftSection={<Crosshair size={iconSize} aria-hidden />} onClick={on.onStartHere}>
              Start graph here
            </Menu.Item>
          </>
        )}
        {address !== undefined && (
          <Menu.Item
            leftSection={<ExternalLink size={iconSize} aria-hidden />}
            renderRoot={(props) => <Link {...props} {...address} target="_blank" rel="noreferrer" />}
          >
            Open in a new tab
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
