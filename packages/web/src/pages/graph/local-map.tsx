import { useMemo, useRef } from 'react'
import classes from './graph-page.module.css'
import type { Shown } from './graph-model.ts'
import { useScene } from './use-scene.ts'

interface Props {
  shown: Shown
  currentId: string
  label: string
  onChoose: (id: string) => void
}

const nothing: ReadonlySet<string> = new Set()
const ignore = () => {}

/** A small map of the nodes around one. Keyboard users get the list next to it, which has the same content. */
export function LocalMap({ shown, currentId, label, onChoose }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const marks = useMemo(() => ({ currentId, path: nothing, pinned: nothing }), [currentId])
  useScene(frame, {
    shown,
    marks,
    isWhole: true,
    events: { onChoose, onChooseLink: ignore, onExpand: onChoose, onMenu: ignore, onLeave: ignore, onPlace: ignore },
  })
  return (
    <div className={classes.localMap}>
      <div ref={frame} className={classes.canvas} role="img" aria-label={label} />
    </div>
  )
}
