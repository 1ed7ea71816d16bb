import type { NodeDisplayData, PartialButFor } from 'sigma/types'
import type { Box } from './place-labels.ts'
import type { schemeOf } from './graph-look.ts'

export const labelFont =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif"

const paddingPx = 5
/** Starts the label outside the ring of vital nodes. */
const labelLeft = (x: number, size: number) => x + size * 1.45 + 7

export type Drawn = PartialButFor<NodeDisplayData, 'x' | 'y' | 'size' | 'label' | 'color'>
type Scheme = ReturnType<typeof schemeOf>

/** The place of a name next to its node. */
export function boxOfLabel(context: CanvasRenderingContext2D, { x, y, size, label }: Drawn, fontPx: number): Box {
  context.font = `500 ${fontPx}px ${labelFont}`
  const left = labelLeft(x, size)
  const width = label === null ? 0 : context.measureText(label).width
  return { left, top: y - fontPx / 2 - 2, right: left + width, bottom: y + fontPx / 2 + 2 }
}

/** Draws the name next to a node. */
export function drawLabel(
  context: CanvasRenderingContext2D,
  { x, y, size, label }: Drawn,
  fontPx: number,
  { text, background }: Scheme,
): void {
  if (label === null || label === '') return
  context.font = `500 ${fontPx}px ${labelFont}`
  // An outline keeps the text readable over links and nodes.
  context.strokeStyle = background
  context.lineWidth = 3
  context.lineJoin = 'round'
  context.strokeText(label, labelLeft(x, size), y + fontPx / 3)
  context.fillStyle = text
  context.fillText(label, labelLeft(x, size), y + fontPx / 3)
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
  const left = labelLeft(x, size)
  const [width, height] = [context.measureText(label).width + 2 * paddingPx, fontPx + 2 * paddingPx]
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
