import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import type { Shown } from './graph-model.ts'
import { GraphScene, type Marks, type SceneEvents } from './graph-scene.ts'
import { keepPositions, readPositions } from './positions.ts'

interface Wanted {
  /** The vault to keep node positions for. Without it, none are kept. */
  vaultId?: string
  shown: Shown
  /** Changes each time the person asks for more. */
  asked?: unknown
  marks: Marks
  /** These replace the colors of the nodes' types. */
  colors?: ReadonlyMap<string, string>
  events: Omit<SceneEvents, 'onSettled'>
  isWhole?: boolean
}

const noPlaces = new Map<string, never>()
const noColors = new Map<string, never>()

/** False until the page with the frame is on the screen. */
function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => (timer = setTimeout(() => setPainted(true))))
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return isPainted
}

/**
 * The scene in a frame. A new frame gets a new scene, once the page around it is painted: preparing WebGL takes about as long as everything
 * else on the page (measured without a graphics card).
 */
export function useScene(
  frame: RefObject<HTMLElement | null>,
  { vaultId, shown, asked, marks, colors = noColors, events, isWhole = false }: Wanted,
): () => GraphScene | undefined {
  const scene = useRef<GraphScene>(undefined)
  const scheme = useComputedColorScheme('light')
  const lastAsked = useRef(asked)
  const isPainted = useIsPainted()
  const on = useEffectEvent(<Name extends keyof typeof events>(name: Name): (typeof events)[Name] => events[name])
  useEffect(() => {
    if (!isPainted || frame.current === null) return undefined
    const made = new GraphScene(
      frame.current,
      {
        onChoose: (id, isWithShift) => on('onChoose')(id, isWithShift),
        onChooseLink: (id) => on('onChooseLink')(id),
        onExpand: (id) => on('onExpand')(id),
        onPlace: (id) => on('onPlace')(id),
        onLeave: () => on('onLeave')(),
        onMenu: (id, at) => on('onMenu')(id, at),
        onSettled: (places) => vaultId !== undefined && keepPositions(vaultId, places),
      },
      { isStill: matchMedia('(prefers-reduced-motion: reduce)').matches, isWhole },
    )
    scene.current = made
    return () => {
      scene.current = undefined
      made.end()
    }
  }, [isPainted, frame, vaultId, isWhole])
  useEffect(() => scene.current?.paint(scheme, shown, colors), [isPainted, scheme, shown, colors])
  useEffect(() => scene.current?.mark(marks), [isPainted, marks])
  const isAsked = useEffectEvent(() => {
    const is = lastAsked.current !== asked
    lastAsked.current = asked
    return is
  })
  useEffect(
    () => scene.current?.show(shown, vaultId === undefined ? noPlaces : readPositions(vaultId), isAsked()),
    [isPainted, shown, vaultId],
  )
  return () => scene.current
}
