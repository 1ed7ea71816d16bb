import { createEdgeArrowProgram, type EdgeProgramType, type NodeProgramType } from 'sigma/rendering'
import type { Settings } from 'sigma/settings'
import { labelFont } from './draw-hover.ts'
import type { EdgeData, NodeData } from './graph-scene.ts'
import { ShapeProgram } from './shape-program.ts'
import { ZigzagProgram } from './zigzag-program.ts'

/** How sigma draws, whatever the graph. */
export const settings: Partial<Settings<NodeData, EdgeData>> = {
  // Sigma's own types tie a program to graphs of any attributes.
  nodeProgramClasses: { shape: ShapeProgram as unknown as NodeProgramType<NodeData, EdgeData> },
  edgeProgramClasses: {
    arrow: createEdgeArrowProgram({ lengthToThicknessRatio: 3.6, widenessToThicknessRatio: 2.8 }),
    zigzag: ZigzagProgram as unknown as EdgeProgramType<NodeData, EdgeData>,
  },
  defaultNodeType: 'shape',
  defaultEdgeType: 'arrow',
  zIndex: true,
  renderEdgeLabels: true,
  labelSize: 12,
  labelDensity: 0.7,
  labelGridCellSize: 150,
  labelRenderedSizeThreshold: 4,
  edgeLabelFont: labelFont,
  edgeLabelSize: 10,
  stagePadding: 40,
  minEdgeThickness: 0.6,
  minCameraRatio: 0.02,
  maxCameraRatio: 4,
  doubleClickZoomingRatio: 1.6,
}
