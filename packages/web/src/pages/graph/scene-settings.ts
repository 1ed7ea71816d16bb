import {
  createEdgeArrowProgram,
  EdgeRectangleProgram,
  type EdgeProgramType,
  type NodeProgramType,
} from 'sigma/rendering'
import type { Settings } from 'sigma/settings'
import { labelFont } from './draw-hover.ts'
import type { EdgeData, NodeData } from './graph-look.ts'
import { ShapeProgram } from './shape-program.ts'
import { ZigzagProgram } from './zigzag-program.ts'
import type { Sigma } from 'sigma'

/** Small screens have less room for nodes and margins. */
const isNarrow = matchMedia('(max-width: 767px)').matches

/** Sigma's settings for every graph. */
export const settings: Partial<Settings<NodeData, EdgeData>> = {
  // Sigma's types expect a program for any node attributes.
  nodeProgramClasses: { shape: ShapeProgram as unknown as NodeProgramType<NodeData, EdgeData> },
  edgeProgramClasses: {
    arrow: createEdgeArrowProgram({ lengthToThicknessRatio: 3.6, widenessToThicknessRatio: 2.8 }),
    line: EdgeRectangleProgram,
    zigzag: ZigzagProgram as unknown as EdgeProgramType<NodeData, EdgeData>,
  },
  defaultNodeType: 'shape',
  defaultEdgeType: 'arrow',
  zIndex: true,
  // The frame has no width while the page around it isn't laid out yet. The scene follows its size.
  allowInvalidContainer: true,
  renderEdgeLabels: true,
  labelSize: 12,
  // More candidates than fit: names that would overlap are left out when they are drawn.
  labelDensity: 2,
  labelGridCellSize: 90,
  labelRenderedSizeThreshold: 4,
  edgeLabelFont: labelFont,
  edgeLabelSize: 10,
  stagePadding: isNarrow ? 24 : 40,
  minEdgeThickness: 0.6,
  // Zooming in enlarges nodes to twice their size at most, so they don't cover each other.
  zoomToSizeRatioFunction: (ratio) => Math.max(0.5, Math.sqrt(ratio)) * (isNarrow ? 1.4 : 1),
  minCameraRatio: 0.02,
  maxCameraRatio: 4,
  doubleClickZoomingRatio: 1.6,
}

/** Sigma fits the graph to its frame. A held view doesn't change when the graph does. */

type Picture = Sigma<NodeData, EdgeData>

export function holdView(sigma: Picture): void {
  if (sigma.getCustomBBox() === null) sigma.setCustomBBox(extentOf(sigma))
}

/** Computed here, because sigma's value is outdated from a change until the next frame. */
function extentOf(sigma: Picture) {
  const xs: number[] = []
  const ys: number[] = []
  sigma.getGraph().forEachNode((_id, { x, y }) => {
    xs.push(x)
    ys.push(y)
  })
  return { x: rangeOf(xs), y: rangeOf(ys) }
}

const rangeOf = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)]

/** Fits the graph to the frame if nodes are far outside a held view, unless the person has moved the view. */
export function widenView(sigma: Picture): void {
  const held = sigma.getCustomBBox()
  const { x, y, ratio } = sigma.getCamera()
  if (held === null || x !== 0.5 || y !== 0.5 || ratio !== 1) return
  if (!sigma.getGraph().someNode((_id, at) => isBeyond(at.x, held.x) || isBeyond(at.y, held.y))) return
  sigma.setCustomBBox(null)
  sigma.refresh({ schedule: true })
}

/** The margin around the view, as a fraction of its size. */
const slack = 0.1

const isBeyond = (at: number, [low, high]: readonly [number, number]) =>
  at < low - (high - low) * slack || at > high + (high - low) * slack
