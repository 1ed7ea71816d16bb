import type { GraphNode } from '@holdfast/client/dashboard'
import { useState } from 'react'
import type { Shown } from './graph-model.ts'
import type { ChangeState, GraphState } from './graph-state.ts'

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
