import type { ForceAtlas2Settings } from 'graphology-layout-forceatlas2'

export interface LayoutTask {
  /** Increases with each run. A newer run stops the current one. */
  run: number
  /** In ForceAtlas2's format: 10 numbers per node, 3 per edge. */
  nodes: Float32Array
  edges: Float32Array
  iterations: number
  /** Reports only the final places. */
  isQuiet: boolean
  settings: ForceAtlas2Settings
}

export interface LayoutAnswer {
  run: number
  nodes: Float32Array
  isDone: boolean
}

export interface Placed {
  x: number
  y: number
  size: number
  isFixed: boolean
}

/** The indexes of its ends among the nodes. */
export type PlacedLink = readonly [source: number, target: number]

const numbersOfNode = 10

/** Lays out nodes by force in a worker. */
export function createLayout() {
  const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' })
  let run = 0
  let tell: ((at: (place: number) => { x: number; y: number }, isDone: boolean) => void) | undefined
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
    if (data.run !== run) return
    const { nodes } = data
    tell?.((place) => ({ x: nodes[place * numbersOfNode] ?? 0, y: nodes[place * numbersOfNode + 1] ?? 0 }), data.isDone)
  })
  return {
    start(
      nodes: readonly Placed[],
      links: readonly PlacedLink[],
      isQuiet: boolean,
      onPlaces: NonNullable<typeof tell>,
    ) {
      tell = onPlaces
      run++
      const task: LayoutTask = {
        run,
        nodes: nodeNumbers(nodes, links),
        edges: edgeNumbers(links),
        iterations: iterationsFor(nodes.length),
        isQuiet,
        settings: settingsFor(nodes.length),
      }
      worker.postMessage(task, [task.nodes.buffer, task.edges.buffer])
    },
    stop() {
      run++
    },
    end: () => worker.terminate(),
  }
}

function nodeNumbers(nodes: readonly Placed[], links: readonly PlacedLink[]): Float32Array<ArrayBuffer> {
  const numbers = new Float32Array(nodes.length * numbersOfNode)
  const masses = nodes.map(() => 1)
  for (const ends of links) for (const end of ends) masses[end] = (masses[end] ?? 0) + 1
  nodes.forEach(({ x, y, size, isFixed }, place) =>
    numbers.set([x, y, 0, 0, 0, 0, masses[place] ?? 1, 1, size, isFixed ? 1 : 0], place * numbersOfNode),
  )
  return numbers
}

const edgeNumbers = (links: readonly PlacedLink[]) =>
  Float32Array.from(
    links.flatMap(([source, target]) => [source * numbersOfNode, target * numbersOfNode, 1] as number[]),
  )

/** Small graphs need more iterations, and each is cheap. */
const iterationsFor = (nodes: number) => (nodes <= 200 ? 500 : nodes <= 800 ? 300 : 160)

const settingsFor = (nodes: number): ForceAtlas2Settings => ({
  linLogMode: false,
  outboundAttractionDistribution: false,
  adjustSizes: false,
  edgeWeightInfluence: 1,
  scalingRatio: 10,
  strongGravityMode: true,
  gravity: 0.12,
  slowDown: 1 + Math.log(Math.max(1, nodes)),
  barnesHutOptimize: nodes > 250,
  barnesHutTheta: 0.6,
})
