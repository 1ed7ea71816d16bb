import { useState, useRef, type KeyboardEvent } from 'react'
import { isEntity, type MapNode, type Shown } from './graph-model.ts'
import type { ChangeState, GraphState } from './graph-state.ts'
import type { GraphScene } from './graph-scene.ts'

/** The current node (in the side panel, or reached by keys) and the start of a path. */
export function useLook(
  shown: Shown,
  state: GraphState,
  setState: ChangeState,
  findPath: (source: MapNode, target: MapNode) => void,
) {
  const [currentId, setCurrent] = useState<string | undefined>(state.at === '' ? undefined : state.at)
  const [linkId, chooseLink] = useState<string>()
  const [pathStart, setPathStart] = useState<MapNode>()
  return {
    currentId,
    pathStart,
    linkId,
    setCurrent,
    /** Explains a link in the side panel. */
    chooseLink,
    choose(id: string) {
      chooseLink(undefined)
      setCurrent(id)
      // The panel also lists links to nodes that aren't shown. Such a node starts a new graph.
      setState(shown.nodes.has(id) ? { at: id } : { from: id, at: id, offset: 0 })
    },
    leave() {
      chooseLink(undefined)
      setCurrent(undefined)
      setPathStart(undefined)
      if (state.at !== '') setState({ at: '' })
    },
    /** Sets the start of a path, then its end. */
    markPath(node: MapNode) {
      // Paths follow links between records.
      if (isEntity(node)) return
      const isBeginning = pathStart === undefined || pathStart.id === node.id
      setPathStart(isBeginning ? node : undefined)
      if (!isBeginning) findPath(pathStart, node)
    },
  }
}

const panShare = 0.12

const pans: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-panShare, 0],
  ArrowRight: [panShare, 0],
  ArrowUp: [0, -panShare],
  ArrowDown: [0, panShare],
}

type Look = Pick<ReturnType<typeof useLook>, 'setCurrent' | 'choose' | 'markPath' | 'leave'>

/**
 * The keys of the map, which is a single tab stop. Tab goes through the nodes only after Enter, because otherwise hundreds of nodes
 * would come before the rest of the page.
 */
export function useMapKeys(
  order: readonly MapNode[],
  current: MapNode | undefined,
  look: Look,
  scene: () => GraphScene | undefined,
) {
  const isInside = useRef(false)

  const goTo = (node: MapNode | undefined): boolean => {
    isInside.current = node !== undefined
    look.setCurrent(node?.id)
    if (node !== undefined) scene()?.goTo(node.id)
    return node !== undefined
  }
  const walk = (steps: 1 | -1): boolean => {
    const at = order.findIndex(({ id }) => id === current?.id)
    return goTo(at === -1 ? (steps === 1 ? order[0] : undefined) : order[at + steps])
  }
  const goOut = () => {
    isInside.current = false
    look.leave()
  }
  const enter = (isWithShift: boolean): boolean => {
    if (current !== undefined && isWithShift) look.markPath(current)
    else if (current !== undefined && isInside.current) look.choose(current.id)
    else return goTo(current ?? order[0])
    return true
  }
  /** Returns whether the graph handled the key. The browser handles all others. */
  const take = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || altKey) return false
    const pan = pans[key]
    if (pan !== undefined) scene()?.pan(...pan)
    else if (key === 'Enter') return enter(shiftKey)
    else if (key === 'Tab') return isInside.current && walk(shiftKey ? -1 : 1)
    else if (key === 'Home' || key === 'End') return goTo(key === 'Home' ? order[0] : order.at(-1))
    // Works even if shortcuts are turned off, because the nodes must not trap the keyboard.
    else if (key === 'Escape') goOut()
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (take(event)) event.preventDefault()
  }
  return {
    onKeyDown,
    onBlur: () => void (isInside.current = false),
    goIn: () => void (isInside.current = current !== undefined),
  }
}
