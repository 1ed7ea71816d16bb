import { ActionIcon } from '@mantine/core'
import { PanelLeftClose, PanelLeftOpen, PanelRightClose, PanelRightOpen } from 'lucide-react'
import { useId, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { preferences, setPreferences, usePreference, type PaneSize } from '../../shell/preferences.ts'
import classes from './pane.module.css'

const minPx = 140
const maxPx = 480
const stepPx = 16

interface Props {
  /** The name under which this browser remembers the width. */
  name: string
  /** For people, such as "Folders". */
  label: string
  /** The side of the text that the pane is on. */
  side: 'start' | 'end'
  presetPx: number
  /** Closed until the person opens it. */
  isPresetClosed?: boolean
  heading: ReactNode
  /** Below the heading. It doesn't scroll either. */
  tools?: ReactNode
  children: ReactNode
}

export function openPane(name: string): void {
  const { panes } = preferences()
  setPreferences({ panes: { ...panes, [name]: { ...panes[name], isClosed: false } } })
}

/** A pane next to the text, with a separator to resize it and a button to close it. */
export function Pane({ name, label, side, presetPx, isPresetClosed = false, heading, tools, children }: Props) {
  const id = useId()
  const panes = usePreference('panes')
  const { widthPx = presetPx, isClosed = isPresetClosed } = panes[name] ?? {}
  const [draggedPx, setDraggedPx] = useState<number>()
  const change = (size: PaneSize) => setPreferences({ panes: { ...panes, [name]: { widthPx, isClosed, ...size } } })
  const isOpen = draggedPx === undefined ? !isClosed : draggedPx > 0
  const shownPx = draggedPx ?? widthPx
  const Icon = icons[side][isOpen ? 'close' : 'open']
  const pane = (
    <section
      id={id}
      className={classes.pane}
      aria-label={label}
      data-open={isOpen}
      style={isOpen ? { flex: `0 1 ${shownPx}px` } : undefined}
    >
      <div className={classes.head}>
        {isOpen && <div className={classes.heading}>{heading}</div>}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${isOpen ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => change({ isClosed: isOpen })}
        >
          <Icon size={16} aria-hidden />
        </ActionIcon>
      </div>
      {isOpen && tools !== undefined && <div className={classes.tools}>{tools}</div>}
      {isOpen && <div className={classes.body}>{children}</div>}
    </section>
  )
  const separator = (
    <Separator
      label={label}
      paneId={id}
      side={side}
      widthPx={isOpen ? shownPx : 0}
      openWidthPx={widthPx}
      onDrag={setDraggedPx}
      onChange={(px) => {
        setDraggedPx(undefined)
        change(px === 0 ? { isClosed: true } : { widthPx: px, isClosed: false })
      }}
      onReset={() => change({ widthPx: presetPx, isClosed: false })}
    />
  )
  return side === 'start' ? (
    <>
      {pane}
      {separator}
    </>
  ) : (
    <>
      {separator}
      {pane}
    </>
  )
}

const icons = {
  start: { open: PanelLeftOpen, close: PanelLeftClose },
  end: { open: PanelRightOpen, close: PanelRightClose },
} as const

interface SeparatorProps {
  label: string
  paneId: string
  side: 'start' | 'end'
  /** 0 while the pane is closed. */
  widthPx: number
  /** The width to open it with. */
  openWidthPx: number
  onDrag: (widthPx: number | undefined) => void
  onChange: (widthPx: number) => void
  onReset: () => void
}

/** Drag it, or use the arrow keys, Home and End. Enter closes and opens the pane, a double-click resets its width. */
function Separator({ label, paneId, side, widthPx, openWidthPx, onDrag, onChange, onReset }: SeparatorProps) {
  const [drag, setDrag] = useState<{ fromX: number; fromPx: number; toPx: number }>()
  const towardsText = side === 'start' ? 1 : -1
  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowRight: fit(widthPx + stepPx * towardsText),
      ArrowLeft: fit(widthPx - stepPx * towardsText),
      Home: minPx,
      End: maxPx,
      Enter: widthPx === 0 ? openWidthPx : 0,
    }[event.key]
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onChange(next)
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ fromX: event.clientX, fromPx: widthPx, toPx: widthPx })
  }
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (drag === undefined) return
    const px = drag.fromPx + (clientX - drag.fromX) * towardsText
    // Dragged to less than half of its smallest width, the pane closes.
    const toPx = px < minPx / 2 ? 0 : fit(px)
    setDrag({ ...drag, toPx })
    onDrag(toPx)
  }
  const onEnd = () => {
    if (drag !== undefined && drag.toPx !== drag.fromPx) onChange(drag.toPx)
    setDrag(undefined)
    onDrag(undefined)
  }
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${label.toLowerCase()}`}
      aria-controls={paneId}
      aria-valuenow={widthPx}
      aria-valuemin={0}
      aria-valuemax={maxPx}
      aria-valuetext={widthPx === 0 ? 'hidden' : `${widthPx} pixels`}
      className={classes.separator}
      data-dragged={drag !== undefined}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onEnd}
      onPointerCancel={onEnd}
      onDoubleClick={onReset}
    />
  )
}

const fit = (px: number) => Math.round(Math.min(maxPx, Math.max(minPx, px)))
