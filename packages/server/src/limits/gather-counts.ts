import type { Log } from '../core/log.ts'

/**
 * Sums to which requests add: gathered in memory, so that no request waits for the store, and written every few seconds,
 * before they are read, and at the stop. A crash loses these seconds; what cannot be written waits for the next time.
 */
export interface GatheredCounts<T> {
  /** What is to be written next under this name, for the caller to add to; `make` says what it is while nothing waits. */
  pending(name: string, make: () => T): T
  /** All under this name that the store does not have yet. */
  unwritten(name: string): T[]
  /** Runs `work` while nothing is being written. */
  between<R>(work: () => Promise<R>): Promise<R>
  flush(): Promise<void>
  stop(): Promise<void>
}

interface Options<T, R> {
  /** Adds some of them to what the store has. */
  write(some: readonly T[]): Promise<R>
  /** In the moment in which these are unwritten no more. */
  noteWritten?(written: R): void
  /** Adds to a sum what could not be written. */
  join(sum: T, more: T): void
  beforeWrites?(): void
  /** What the log says of a failure. */
  warning: string
  log: Log
}

const flushEveryMs = 5000
const rowsAtOnce = 200

export function gatherCounts<T, R>(options: Options<T, R>): GatheredCounts<T> {
  const { write, noteWritten, join, beforeWrites, warning, log } = options
  let pending = new Map<string, T>()
  let writing = new Map<string, T>()
  // One after the other: so it is known which counts a sum that is read from the store holds already.
  let queue: Promise<unknown> = Promise.resolve()
  const between = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(work)
    queue = result.catch(() => {})
    return result
  }

  async function writeAll(): Promise<void> {
    beforeWrites?.()
    writing = pending
    pending = new Map()
    const due = [...writing]
    for (let from = 0; from < due.length; from += rowsAtOnce)
      await writeSome(due.slice(from, from + rowsAtOnce)).catch((error: unknown) => log.warn(warning, { error }))
    // What was written is gone from here.
    for (const [name, left] of writing) {
      const sum = pending.get(name)
      if (sum === undefined) pending.set(name, left)
      else join(sum, left)
    }
    writing = new Map()
  }

  async function writeSome(some: readonly [name: string, counts: T][]): Promise<void> {
    const written = await write(some.map(([, counts]) => counts))
    for (const [name] of some) writing.delete(name)
    noteWritten?.(written)
  }

  const flush = () => between(writeAll)
  const timer = setInterval(() => void flush(), flushEveryMs).unref()
  return {
    pending(name, make) {
      let sum = pending.get(name)
      if (sum === undefined) pending.set(name, (sum = make()))
      return sum
    },
    unwritten: (name) => [writing.get(name), pending.get(name)].filter((sum) => sum !== undefined),
    between,
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
