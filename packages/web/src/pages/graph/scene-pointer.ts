import type { Sigma } from 'sigma'
import type { EdgeData, NodeData } from './graph-look.ts'
import type { Place } from './positions.ts'

export interface PointerEvents {
  onHover: (id: string | undefined) => void
  onChoose: (id: string, isWithShift: boolean) => void
  onExpand: (id: string) => void
  /** `at`: a point on the map. */
  onMenu: (id: string, at: Place) => void
  onChooseLink: (id: string) => void
  /** A click outside all nodes. */
  onLeave: () => void
  onDrag: (id: string, to: Place) => void
  onDrop: (id: string) => void
}

/** Handles mouse and touch on nodes. Sigma handles panning and zooming. */
export function listenToPointer(
  sigma: Sigma<NodeData, EdgeData>,
  container: HTMLElement,
  { onHover, onChoose, onChooseLink, onExpand, onMenu, onLeave, onDrag, onDrop }: PointerEvents,
): void {
  const hover = (id: string | undefined) => {
    container.style.cursor = id === undefined ? '' : 'pointer'
    onHover(id)
  }
  sigma.on('enterNode', ({ node }) => hover(node))
  sigma.on('leaveNode', () => hover(undefined))
  sigma.on('clickNode', ({ node, event: { original } }) => onChoose(node, original.shiftKey))
  sigma.on('clickEdge', ({ edge }) => onChooseLink(edge))
  sigma.on('enterEdge', () => (container.style.cursor = 'pointer'))
  sigma.on('leaveEdge', () => (container.style.cursor = ''))
  sigma.on('clickStage', onLeave)
  sigma.on('doubleClickNode', ({ node, preventSigmaDefault }) => {
    // Sigma would zoom.
    preventSigmaDefault()
    onExpand(node)
  })
  sigma.on('rightClickNode', ({ node, event: { x, y, original } }) => {
    original.preventDefault()
    onMenu(node, { x, y })
  })
  listenToDrags(sigma, onDrag, onDrop)
}

function listenToDrags(
  sigma: Sigma<NodeData, EdgeData>,
  onDrag: PointerEvents['onDrag'],
  onDrop: PointerEvents['onDrop'],
): void {
  let held: string | undefined
  let isMoved = false
  sigma.on('downNode', ({ node, event: { original } }) => {
    held = original instanceof MouseEvent && original.button !== 0 ? undefined : node
    isMoved = false
  })
  sigma.on('moveBody', ({ event, preventSigmaDefault }) => {
    if (held === undefined) return
    // Sigma would pan.
    preventSigmaDefault()
    isMoved = true
    onDrag(held, sigma.viewportToGraph(event))
  })
  const drop = () => {
    if (held !== undefined && isMoved) onDrop(held)
    held = undefined
  }
  sigma.on('upNode', drop)
  sigma.on('upStage', drop)
}
