import iterate from 'graphology-layout-forceatlas2/iterate.js'
import type { LayoutAnswer, LayoutTask } from './layout.ts'

/** Runs the force layout off the main thread. A separate file, because the page's policy forbids inline workers. */

const sliceMs = 45

let latest = 0

globalThis.addEventListener('message', ({ data }: MessageEvent<LayoutTask>) => {
  latest = data.run
  work(data)
})

function work({ run, nodes, edges, iterations, isQuiet, settings }: LayoutTask): void {
  if (run !== latest) return
  const until = performance.now() + sliceMs
  let left = iterations
  while (left > 0 && performance.now() < until) {
    iterate(settings, nodes, edges)
    left--
  }
  const isDone = left === 0
  if (isDone || !isQuiet) answer({ run, nodes: nodes.slice(), isDone })
  // Yields, so a newer task can arrive.
  if (!isDone) setTimeout(() => work({ run, nodes, edges, iterations: left, isQuiet, settings }), 0)
}

const answer = (message: LayoutAnswer) => globalThis.postMessage(message, { transfer: [message.nodes.buffer] })
