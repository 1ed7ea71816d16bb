import type { NodeDisplayData, PartialButFor } from 'sigma/types'
import type { Box } from './place-labels.ts'
import type { schemeOf } from './graph-look.ts'

export const labelFont =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif"

const paddingPx = 5
/** Starts the plate outside the ring of hovered nodes. */
const plateLeft = (x: number, size: number) => x + size * 1.45 + 7

/** With what sigma passes on of each node. */
export type Drawn = PartialButFor<NodeDisplayData, 'x' | 'y' | 'size' | 'label' | 'color'> & {
  key?: string
  hasRing?: boolean
}
type Scheme = ReturnType<typeof schemeOf>

/** From the middle of a node to its edge, or to that of the ring of a vital one. */
const reachOf = (size: number, hasRing = false) => (hasRing ? size * 1.45 : size)

/**
 * Where the name of a node may be: on its right, its left, below and above it, and there with one end at an edge of the node. The letters
 * are 4 to 7 px away from the node, so that it is clear whose name it is.
 */
export function placesOfLabel(
  context: CanvasRenderingContext2D,
  { x, y, size, label, hasRing }: Drawn,
  fontPx: number,
): Box[] {
  context.font = `500 ${fontPx}px ${labelFont}`
  const width = label === null ? 0 : context.measureText(label).width
  const height = fontPx + 4
  const boxAt = (left: number, top: number) => ({ left, top, right: left + width, bottom: top + height })
  const middle = y - height / 2
  const reach = reachOf(size, hasRing)
  const away = reach + 3
  return [
    boxAt(x + reach + 4, middle),
    boxAt(x - reach - 4 - width, middle),
    boxAt(x - width / 2, y + away),
    boxAt(x - width / 2, y - away - height),
    boxAt(x - size, y + away),
    boxAt(x - size, y - away - height),
    boxAt(x + size - width, y + away),
    boxAt(x + size - width, y - away - height),
  ]
}

/** What a node covers with its ring, and the space around it that other names keep. */
export function boxOfNode({ x, y, size }: Pick<Drawn, 'x' | 'y' | 'size'>, hasRing: boolean): Box {
  const away = reachOf(size, hasRing) + 2
  return { left: x - away, top: y - away, right: x + away, bottom: y + away }
}

/** Draws a name in its place. */
export function drawLabel(
  context: CanvasRenderingContext2D,
  { label, fontPx }: { label: string; fontPx: number },
  { left, top }: Box,
  { text, background }: Scheme,
): void {
  context.font = `500 ${fontPx}px ${labelFont}`
  // A halo keeps the text readable over links and nodes.
  context.strokeStyle = background
  context.lineWidth = 5
  context.lineJoin = 'round'
  const baseline = top + 2 + fontPx / 2 + fontPx / 3
  context.strokeText(label, left, baseline)
  context.fillStyle = text
  context.fillText(label, left, baseline)
}

/** Draws the name of the hovered or current node on a plate, so it is readable over anything. Returns the plate. */
export function drawHover(
  context: CanvasRenderingContext2D,
  { x, y, size, label }: Drawn,
  fontPx: number,
  { background, text, dimmed }: Scheme,
): Box | undefined {
  context.strokeStyle = text
  context.lineWidth = 2
  context.beginPath()
  context.arc(x, y, size * 1.45 + 2, 0, Math.PI * 2)
  context.stroke()
  if (label === null || label === '') return undefined
  context.font = `600 ${fontPx}px ${labelFont}`
  const [width, height] = [context.measureText(label).width + 2 * paddingPx, fontPx + 2 * paddingPx]
  const right = plateLeft(x, size)
  // On its left, if it would leave the map.
  const left = right + width - paddingPx > context.canvas.clientWidth ? x - (right - x) - width + 2 * paddingPx : right
  context.fillStyle = background
  context.strokeStyle = dimmed
  context.lineWidth = 1
  context.beginPath()
  context.roundRect(left - paddingPx, y - height / 2, width, height, 4)
  context.fill()
  context.stroke()
  context.fillStyle = text
  context.fillText(label, left, y + fontPx / 3)
  return { left: left - paddingPx, top: y - height / 2, right: left - paddingPx + width, bottom: y + height / 2 }
}
