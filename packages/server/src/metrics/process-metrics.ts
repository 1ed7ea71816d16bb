import { collectDefaultMetrics, Registry } from 'prom-client'

// Once per process, because the watchers of the garbage collector and the event loop can't be removed.
let known: Registry | undefined

/** Gauges that end in `_total`, which is for counters, and the same numbers by kind that `nodejs_active_resources` has. */
const left = [
  'nodejs_active_resources_total',
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
]

/** Memory, processor time, garbage collection, event loop and files of this process. */
export function processMetrics(): Registry {
  if (known !== undefined) return known
  known = new Registry()
  collectDefaultMetrics({ register: known })
  for (const name of left) known.removeSingleMetric(name)
  return known
}
