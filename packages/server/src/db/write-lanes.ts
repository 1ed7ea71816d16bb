import { overloaded } from '../core/errors.ts'

interface Lane {
  running: number
  waiting: (() => void)[]
}

/**
 * A lane is the queue of writes to one vault. Only a few of them have a connection at a time: they wait for each other in the database
 * anyway, because each locks the vault's row. Without lanes, the writers of one busy vault would hold all connections while they wait.
 * Lanes take turns.
 */
export class WriteLanes {
  readonly #limits: { inLane: number; inAll: number; waiting: number }
  readonly #lanes = new Map<string, Lane>()
  #running = 0

  constructor(limits: { inLane: number; inAll: number; waiting: number }) {
    this.#limits = limits
  }

  /** Writes that wait for their turn. */
  get waiting(): number {
    return [...this.#lanes.values()].reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  /** 503 if too many writes of this lane wait already. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(name) ?? { running: 0, waiting: [] }
    this.#lanes.set(name, lane)
    if (lane.waiting.length >= this.#limits.waiting) throw overloaded('too many writes to this vault at once', 1)
    await new Promise<void>((enter) => {
      lane.waiting.push(enter)
      this.#admit()
    })
    try {
      return await work()
    } finally {
      lane.running--
      this.#running--
      if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(name)
      this.#admit()
    }
  }

  #admit(): void {
    for (const [name, lane] of this.#lanes) {
      if (this.#running >= this.#limits.inAll) return
      const enter = lane.running < this.#limits.inLane ? lane.waiting.shift() : undefined
      if (enter === undefined) continue
      lane.running++
      this.#running++
      // Its next write comes after those of the other lanes.
      this.#lanes.delete(name)
      this.#lanes.set(name, lane)
      enter()
    }
  }
}
