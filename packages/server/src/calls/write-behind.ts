import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'

interface Options<T, R> {
  db: Pick<Database, 'explainFailure'>
  /** Adds the sums to the store, in one transaction. */
  write(some: readonly T[]): Promise<R>
  /** Called when these sums no longer count as unwritten. */
  onWritten?(written: R): void
  /** Adds a sum that could not be written to a newer one. */
  join(sum: T, more: T): void
  beforeWrites?(): void
  /** Sums of different groups never share a transaction. Default: one group. */
  groupOf?(sum: T): string
  everyMs?: number
  /** The most sums that wait while the store is unavailable. Default: no limit. */
  maxPending?: number
  /** The log message for a failure. */
  warning: string
  log: Log
}

type Named<T> = [name: string, sum: T]

const usualMs = 5_000
/** Rows in one transaction, so that other writes can run in between. */
const rowsAtOnce = 200

/**
 * Sums that calls add to. They are kept in memory, so no call waits for the store, and written every few seconds, before they are read,
 * and at shutdown. A crash loses these seconds. Sums that can't be written are tried again.
 */
export class WriteBehind<T, R = void> {
  readonly #options: Options<T, R>
  readonly #pending = new Map<string, T>()
  readonly #writing = new Map<string, T>()
  readonly #timer: NodeJS.Timeout
  // One write at a time, so that it is known which counts a stored sum includes.
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: Options<T, R>) {
    this.#options = options
    this.#timer = setInterval(() => void this.flush(), options.everyMs ?? usualMs).unref()
  }

  /** The pending sum of this name, for the caller to add to. `make` creates it. A new sum is lost while too many wait. */
  pending(name: string, make: () => T): T {
    const known = this.#pending.get(name)
    if (known !== undefined) return known
    const sum = make()
    this.#keep(name, sum)
    return sum
  }

  /** The sums of this name that aren't stored yet. */
  unwritten(name: string): T[] {
    return [this.#writing.get(name), this.#pending.get(name)].filter((sum) => sum !== undefined)
  }

  /** Runs `work` between two writes. */
  between<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => {})
    return result
  }

  /** Writes the pending sums, optionally only the wanted ones. */
  flush(isWanted: (sum: T) => boolean = () => true): Promise<void> {
    this.#options.beforeWrites?.()
    return this.between(() => this.#writeAll(isWanted))
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #writeAll(isWanted: (sum: T) => boolean): Promise<void> {
    const { groupOf, join } = this.#options
    for (const [name, sum] of this.#pending) {
      if (!isWanted(sum)) continue
      this.#pending.delete(name)
      this.#writing.set(name, sum)
    }
    for (const group of inGroups([...this.#writing], groupOf)) await this.#writeGroup(group)
    for (const [name, left] of this.#writing) {
      const sum = this.#pending.get(name)
      if (sum === undefined) this.#keep(name, left)
      else join(sum, left)
    }
    this.#writing.clear()
  }

  /** Ordered by name, so that all servers lock rows in the same order. Stops if the store fails, but not for a bad row. */
  async #writeGroup(group: readonly Named<T>[]): Promise<void> {
    const { db, write, onWritten, warning, log } = this.#options
    const sorted = group.toSorted(([a], [b]) => (a < b ? -1 : 1))
    for (let from = 0; from < sorted.length; from += rowsAtOnce) {
      const some = sorted.slice(from, from + rowsAtOnce)
      try {
        const written = await write(some.map(([, sum]) => sum))
        for (const [name] of some) this.#writing.delete(name)
        onWritten?.(written)
      } catch (error) {
        log.warn(warning, { error })
        if (db.explainFailure(error) !== undefined) return
      }
    }
  }

  #keep(name: string, sum: T): void {
    if (this.#pending.size < (this.#options.maxPending ?? Infinity)) this.#pending.set(name, sum)
  }
}

const inGroups = <T>(
  all: readonly Named<T>[],
  groupOf: ((sum: T) => string) | undefined,
): Iterable<readonly Named<T>[]> =>
  groupOf === undefined ? [all] : Map.groupBy(all, ([, sum]) => groupOf(sum)).values()
