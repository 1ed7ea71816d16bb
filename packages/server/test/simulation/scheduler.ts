// Decides by a seed which of several pending steps goes on next. Code that only waits for steps, for the embedded store and for promises
// then runs in exactly the same order each time. Nothing else may be waited for: no timer, no thread, no network.

import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Random } from '../fuzz/random.ts'

export interface Scheduler {
  /** Runs work on behalf of an actor, now and after each of its steps. */
  as<T>(actor: string, work: () => T): T
  /** Who runs now. Undefined outside of actors. */
  actor(): string | undefined
  /** Waits until the seed chooses this step. Outside of actors, goes on at once. */
  step(what: string): Promise<void>
  /** The store works on it: meanwhile, no step is chosen. */
  during<T>(work: Promise<T>): Promise<T>
  /** Lets steps go on until none is pending. */
  run(): Promise<void>
  /** What went on, in order. Steps that went on together are in one entry. */
  readonly trace: readonly string[]
}

export function createScheduler(random: Random): Scheduler {
  const actors = new AsyncLocalStorage<string>()
  const pending: { name: string; goOn: () => void }[] = []
  const trace: string[] = []
  const store = { working: 0 }

  /** Promises settle before the next turn begins, and shared commits are made in the turns after their writes. */
  async function settle(): Promise<void> {
    do await nextTurn()
    while (store.working > 0)
  }

  return {
    as: (actor, work) => actors.run(actor, work),
    actor: () => actors.getStore(),
    step(what) {
      const actor = actors.getStore()
      if (actor === undefined) return Promise.resolve()
      return new Promise((goOn) => void pending.push({ name: `${actor}: ${what}`, goOn }))
    },
    async during(work) {
      store.working++
      try {
        return await work
      } finally {
        store.working--
      }
    },
    async run() {
      for (await settle(); pending.length > 0; await settle()) {
        // What goes on together may share a commit.
        const count = Math.min(random.pick([1, 1, 1, 2, 3]), pending.length)
        const chosen = Array.from({ length: count }, () => pending.splice(random.int(0, pending.length - 1), 1)).flat()
        trace.push(chosen.map(({ name }) => name).join(' + '))
        for (const { goOn } of chosen) goOn()
      }
    },
    trace,
  }
}
