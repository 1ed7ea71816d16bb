import { overloaded } from '../core/errors.ts'
import type { Tx } from './dialect.ts'

/** A write that waits for its transaction. */
export interface Job {
  work(tx: Tx): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

interface Lane {
  isBusy: boolean
  waiting: Job[]
}

/**
 * A lane is the queue of writes to one vault. They would wait for each other in the database anyway, because each locks the vault's row. So a
 * lane has one transaction at a time, which takes with it what has gathered since the last one, and many writers of one vault don't hold all
 * connections. Lanes take turns.
 */
export class WriteLanes {
  readonly #commit: (jobs: readonly Job[]) => Promise<void>
  readonly #limits: { together: number; lanes: number; waiting: number }
  readonly #lanes = new Map<string | symbol, Lane>()
  #busy = 0

  /**
   * `commit` settles all of its jobs and never throws. `together`: jobs of one transaction; `lanes`: transactions at once; `waiting`: jobs
   * that may wait for one lane.
   */
  constructor(
    commit: (jobs: readonly Job[]) => Promise<void>,
    limits: { together: number; lanes: number; waiting: number },
  ) {
    this.#commit = commit
    this.#limits = limits
  }

  /** Writes that wait for their turn. */
  get waiting(): number {
    return [...this.#lanes.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  /** 503 if too many writes of this lane wait already. */
  async run<T>(name: string | symbol, work: (tx: Tx) => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(name) ?? { isBusy: false, waiting: [] }
    this.#lanes.set(name, lane)
    if (lane.waiting.length >= this.#limits.waiting) throw overloaded('too many writes at once', 1)
    return new Promise((resolve, reject) => {
      lane.waiting.push({ work, resolve, reject })
      this.#start()
    })
  }

  #start(): void {
    for (const [name, lane] of this.#lanes) {
      if (this.#busy >= this.#limits.lanes) return
      if (lane.isBusy) continue
      lane.isBusy = true
      this.#busy++
      void this.#commit(lane.waiting.splice(0, this.#limits.together)).then(() => {
        lane.isBusy = false
        this.#busy--
        // Its next transaction comes after those of the other lanes.
        this.#lanes.delete(name)
        if (lane.waiting.length > 0) this.#lanes.set(name, lane)
        this.#start()
      })
    }
  }
}
