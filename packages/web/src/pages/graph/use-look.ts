import type { GraphNode } from '@holdfast/client/dashboard'
import { useState, useRef, type KeyboardEvent } from 'react'
import type { Shown } from './graph-model.ts'
import type { ChangeState, GraphState } from './graph-state.ts'
import type { GraphScene } from './graph-scene.ts'

/** Which node is looked at, by keys or beside the picture, and where a way is to begin. */
export function useLook(
  shown: Shown,
  state: GraphState,
  setState: ChangeState,
  findPath: (source: GraphNode, target: GraphNode) => void,
) {
  const [currentId, setCurrent] = useState<string | undefined>(state.at === '' ? undefined : state.at)
  const [wayFrom, setWayFrom] = useState<GraphNode>()
  return {
    currentId,
    wayFrom,
    setCurrent,
    choose(id: string) {
      setCurrent(id)
      // From the list of links beside: what is not on the screen is where the next graph begins.
      setState(shown.nodes.has(id) ? { at: id } : { from: id, at: id, offset: 0 })
    },
    leave() {
      setCurrent(undefined)
      setWayFrom(undefined)
      if (state.at !== '') setState({ at: '' })
    },
    /** The beginning of a way, and then its end. */
    markWay(node: GraphNode) {
      const isBeginning = wayFrom === undefined || wayFrom.id === node.id
      setWayFrom(isBeginning ? node : undefined)
      if (!isBeginning) findPath(wayFrom, node)
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

type Look = Pick<ReturnType<typeof useLook>, 'setCurrent' | 'choose' | 'markWay' | 'leave'>

/**
 * The keys of the picture, which is one stop of the Tab key. Only once somebody has gone in does Tab walk the nodes: else hundreds of
 * them would stand in the way of what follows.
 */
export function useMapKeys(
  order: readonly GraphNode[],
  current: GraphNode | undefined,
  look: Look,
  scene: () => GraphScene | undefined,
) {
  const isInside = useRef(false)

  const goTo = (node: GraphNode | undefined): boolean => {
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
    if (current !== undefined && isWithShift) look.markWay(current)
    else if (current !== undefined && isInside.current) look.choose(current.id)
    else return goTo(current ?? order[0])
    return true
  }
  /** Whether the key was one of the graph's; all others are the browser's. */
  const take = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || altKey) return false
    const pan = pans[key]
    if (pan !== undefined) scene()?.pan(...pan)
    else if (key === 'Enter') return enter(shiftKey)
    else if (key === 'Tab') return isInside.current && walk(shiftKey ? -1 : 1)
    else if (key === 'Home' || key === 'End') return goTo(key === 'Home' ? order[0] : order.at(-1))
    // Also where shortcuts are switched off: whoever went in must come out.
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
