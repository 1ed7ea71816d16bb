declare module 'graphology-layout-forceatlas2/iterate.js' {
  import type { ForceAtlas2Settings } from 'graphology-layout-forceatlas2'

  /** One step: changes the places in `nodes` (10 numbers a node) by the forces of `edges` (3 numbers an edge). */
  export default function iterate(settings: ForceAtlas2Settings, nodes: Float32Array, edges: Float32Array): object
}
