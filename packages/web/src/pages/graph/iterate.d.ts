declare module 'graphology-layout-forceatlas2/iterate.js' {
  import type { ForceAtlas2Settings } from 'graphology-layout-forceatlas2'

  /** Runs one iteration: updates the positions in `nodes` (10 numbers per node) by the forces of `edges` (3 numbers per edge). */
  export default function iterate(settings: ForceAtlas2Settings, nodes: Float32Array, edges: Float32Array): object
}
