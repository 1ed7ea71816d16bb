import { pauseAfter } from '../core/in-pieces.ts'
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
  /** Whether the timer's writes pause between transactions. For many sums that nobody waits for. Default: false. */
  isUnhurried?: boolean
  /** The most sums that wait while the store is unavailable. Default: no limit. */
  maxPending?: number
  /** The log message for a failure. */
  warning: string
  log: Log
}

const usualMs = 5_000
/** Rows in one transaction, so that other writes can run in between. */
const rowsAtOnce = 200
/** Failures after which a write tries no other group until the next time. */
const maxFailures = 3
/** The longest transaction after which the pause is proportional. A locked row says nothing about the load. */
const longestMs = 50

/**
 * Sums that calls add to. They are kept in memory, so no call waits for the store, and written every few seconds, before they are read,
 * and at shutdown. A crash loses these seconds. Sums that can't be written are tried again.
 */
export class WriteBehind<T, R = void> {
  readonly #options: Options<T, R>
  readonly #pending = new Map<string, T>()
  readonly #writing = new Map<string, T>()
  readonly #timer: NodeJS.Timeout
  readonly #stopping = new AbortController()
  #unhurried: Promise<void> | undefined
  // One write at a time, so that it is known which counts a stored sum includes.
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: Options<T, R>) {
    this.#options = options
    const write = () => (options.isUnhurried === true ? this.#startUnhurried() : void this.flush())
    this.#timer = setInterval(write, options.everyMs ?? usualMs).unref()
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
    return this.between(() => this.#writeGroups(isWanted, (names) => this.#write(names)))
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#unhurried
    await this.flush()
  }

  #startUnhurried(): void {
    this.#unhurried ??= this.#writeUnhurried().finally(() => {
      this.#unhurried = undefined
    })
  }

  /** A failure ends its group, because it may be about a locked row, and several end all groups, because then the store is down. */
  async #writeGroups(isWanted: (sum: T) => boolean, write: (names: string[]) => Promise<boolean>): Promise<void> {
    let failures = 0
    for (const group of this.#groups(isWanted)) {
      for (const names of inBatches(group)) {
        if (await write(names)) continue
        failures++
        break
      }
      if (failures === maxFailures) return
    }
  }

  /**
   * Others can flush between two transactions. Without pauses, the reads that searches had counted in 15 s took half of the event loop's
   * time for 1.2 s: 250 searches a second in a vault of 100,000 memories.
   */
  async #writeUnhurried(): Promise<void> {
    this.#options.beforeWrites?.()
    await this.#writeGroups(
      () => true,
      async (names) => {
        let begun = 0
        const isUp = await this.between(() => {
          begun = performance.now()
          return this.#write(names)
        })
        if (isUp) await pauseAfter(Math.min(performance.now() - begun, longestMs), this.#stopping.signal)
        return isUp
      },
    )
  }

  /** The names of the wanted sums by group, sorted, so that all servers lock rows in the same order. */
  #groups(isWanted: (sum: T) => boolean): string[][] {
    const { groupOf = () => '' } = this.#options
    const wanted = [...this.#pending].filter(([, sum]) => isWanted(sum))
    const groups = Map.groupBy(wanted, ([, sum]) => groupOf(sum))
    return [...groups.values()].map((group) => group.map(([name]) => name).toSorted())
  }

  /** Writes the sums of these names that are still pending. Returns false if the store fails, but not for a bad row. */
  async #write(names: readonly string[]): Promise<boolean> {
    const { db, write, join, onWritten, warning, log } = this.#options
    const sums = names.flatMap((name) => {
      const sum = this.#pending.get(name)
      return sum === undefined ? [] : [[name, sum] as const]
    })
    if (sums.length === 0) return true
    for (const [name, sum] of sums) {
      this.#pending.delete(name)
      this.#writing.set(name, sum)
    }
    try {
      const written = await write(sums.map(([, sum]) => sum))
      this.#writing.clear()
      onWritten?.(written)
      return true
    } catch (error) {
      for (const [name, left] of this.#writing) {
        const sum = this.#pending.get(name)
        if (sum === undefined) this.#keep(name, left)
        else join(sum, left)
      }
      this.#writing.clear()
      log.warn(warning, { error })
      return db.explainFailure(error) === undefined
    }
  }

  #keep(name: string, sum: T): void {
    if (this.#pending.size < (this.#options.maxPending ?? Infinity)) this.#pending.set(name, sum)
  }
}

function* inBatches(names: readonly string[]): Generator<string[]> {
  for (let from = 0; from < names.length; from += rowsAtOnce) yield names.slice(from, from + rowsAtOnce)
}
