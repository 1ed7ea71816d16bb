// Decides by a seed what goes on next. Whatever has to wait asks for a step; one step goes on at a time, and the next one is chosen when
// nothing moves any more: everything waits for a step, or for a lock that something else in the database holds.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Random } from '../fuzz/random.ts'

export interface Scheduler {
  /** Waits until the seed chooses this step. `owner`: whose step it is, if that may crash. */
  step(what: string, owner?: object, query?: Partial<Query>): Promise<void>
  /** The place of the next step that begins now. */
  nextPlace(): number
  /**
   * Waits for work outside of this process, which must not fail. `query`: what PostgreSQL does in it and may have to wait for a lock;
   * `hasWaited` says whether it had to.
   */
  during<T>(work: Promise<T>, query?: Query): Promise<{ outcome: T; hasWaited: boolean }>
  /** Someone released locks: those who waited may go on. */
  unlock(): void
  /** Someone crashed: what waits for a step goes on now, sees that, and does nothing more. */
  forget(owner: object): void
  /** Lets steps go on until none is pending. */
  run(): Promise<void>
  /** From now on, steps pass at once: a server that still does something must not wait for ever. */
  end(): void
  /** A number that grows with each call: the order in which things happened. */
  tick(): number
  /** What went on, in order. */
  readonly trace: readonly string[]
}

/** Statements that a connection sends together. */
export interface Query {
  /** Where their steps stand among the pending ones. Answers of a database may come in any order, and must not decide what the seed chooses. */
  place: number
  /** The process of PostgreSQL. */
  backend: number
  /** Where they may lock rows. */
  tables: readonly string[]
}

/** A process of PostgreSQL that waits for a lock, and those that hold it. */
export interface Blocked {
  backend: number
  by: readonly number[]
}

/** Which of these processes of PostgreSQL wait for locks. */
export type FindBlocked = (backends: readonly number[]) => Promise<readonly Blocked[]>

interface Pending extends Query {
  what: string
  owner: object | undefined
  goOn(): void
}

interface Working {
  query: Query | undefined
  /** The processes that hold the lock for which it waits. */
  blockedBy: readonly number[]
  hasWaited: boolean
}

/** Not the timer of a test that stops the clocks. */
const realTimeout = setTimeout

/** Longer than PostgreSQL takes to find a deadlock. */
const maxBlockedMs = 15_000

/** Most statements are answered sooner. Only about those that aren't, PostgreSQL is asked whether they wait for locks. */
const answerMs = 2

/** Code that works in pieces lets the process do something else in between, for as many turns. */
const quietTurns = 4

export function createScheduler(random: Random, findBlocked: FindBlocked): Scheduler {
  let pending: Pending[] = []
  const working = new Set<Working>()
  const trace: string[] = []
  let [places, changes, ticks] = [0, 0, 0]
  let wake = () => {}
  let isOver = false

  const isMoving = () => [...working].some(({ blockedBy }) => blockedBy.length === 0)

  /** Of two that wait for the same row, PostgreSQL lets go on whichever is faster. So a second one isn't sent. */
  const mustWait = ({ backend, tables }: Pending) =>
    [...working].some(
      ({ query, blockedBy }) =>
        blockedBy.length > 0 && !blockedBy.includes(backend) && query?.tables.some((table) => tables.includes(table)),
    )

  async function look(): Promise<void> {
    const before = changes
    await new Promise<void>((resolve) => {
      wake = resolve
      realTimeout(resolve, answerMs)
    })
    const backends = [...working].flatMap(({ query }) => query?.backend ?? [])
    if (changes !== before || backends.length === 0) return
    const blocked = await findBlocked(backends)
    if (changes !== before) return
    const waiting = new Map(
      blocked.filter((one) => !isDeadlocked(one, blocked)).map(({ backend, by }) => [backend, by]),
    )
    for (const one of working) {
      const by = one.query && waiting.get(one.query.backend)
      if (by !== undefined) Object.assign(one, { blockedBy: by, hasWaited: true })
    }
  }

  async function settle(): Promise<void> {
    for (let [quiet, before] = [0, changes]; quiet < quietTurns;) {
      await nextTurn()
      for (const began = Date.now(); isMoving(); await look()) if (Date.now() - began > maxBlockedMs) throw stuck()
      quiet = changes === before ? quiet + 1 : 0
      before = changes
    }
  }

  const stuck = () => new Error(`nothing goes on after: ${trace.slice(-20).join('; ')}`)

  return {
    step: (what, owner, { place = places++, backend = 0, tables = [] } = {}) =>
      new Promise((goOn) => {
        changes++
        if (isOver) goOn()
        else pending.push({ what, place, backend, tables, owner, goOn })
      }),
    nextPlace: () => places++,
    async during(work, query) {
      const one: Working = { query, blockedBy: [], hasWaited: false }
      working.add(one)
      try {
        return { outcome: await work, hasWaited: one.hasWaited }
      } finally {
        working.delete(one)
        changes++
        wake()
      }
    },
    unlock() {
      for (const one of working) one.blockedBy = []
    },
    forget(owner) {
      const forgotten = pending.filter((step) => step.owner === owner)
      pending = pending.filter((step) => step.owner !== owner)
      for (const { goOn } of forgotten) goOn()
    },
    async run() {
      for (await settle(); pending.length > 0 || working.size > 0; await settle()) {
        if (pending.length === 0) throw stuck()
        pending.sort((a, b) => a.place - b.place)
        const free = pending.filter((one) => !mustWait(one))
        const among = free.length > 0 ? free : pending
        const chosen = among[random.int(0, among.length - 1)]
        pending = pending.filter((one) => one !== chosen)
        trace.push(chosen?.what ?? '')
        chosen?.goOn()
      }
    },
    end() {
      isOver = true
      for (const { goOn } of pending.splice(0)) goOn()
    },
    tick: () => ticks++,
    trace,
  }
}

/** Whether these wait for each other. PostgreSQL ends that, so it counts as a movement. */
function isDeadlocked({ backend }: Blocked, blocked: readonly Blocked[]): boolean {
  const seen = new Set<number>()
  for (const reached = [backend]; reached.length > 0;) {
    const at = reached.pop()
    for (const next of blocked.find((one) => one.backend === at)?.by ?? []) {
      if (next === backend) return true
      if (!seen.has(next)) reached.push(next)
      seen.add(next)
    }
  }
  return false
}
