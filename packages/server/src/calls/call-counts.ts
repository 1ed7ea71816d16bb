import type { Log } from '../core/log.ts'
import { dayMs, dayOf } from '../core/time.ts'
import type { Database } from '../db/dialect.ts'
import { addCallCounts, type CallCounts as Sums } from './call-count-store.ts'
import type { CallRecord } from './call.ts'
import { firstChars, firstMs, slotCount, slotOf } from './histogram.ts'
import { WriteBehind } from './write-behind.ts'

/** Counts agents' calls by day, operation and integration: how many, their outcome, how long they took. */
export interface CallCounts {
  /** Call when a call has ended. Only agents' calls count. */
  add(call: CallRecord): void
  flush(): Promise<void>
  stop(): Promise<void>
}

/** How long these counts are kept. */
export const keptDays = 400

interface Options {
  db: Database
  beforeWrites?(): void
  log: Log
}

export function createCallCounts({ db, beforeWrites = () => {}, log }: Options): CallCounts {
  const counts = new WriteBehind<Sums>({
    db,
    write: (some) => addCallCounts(db, some),
    join: addCounts,
    beforeWrites,
    warning: 'calls were not counted yet',
    log,
  })

  // Cached, because formatting the day takes longer than counting a call.
  let known = { number: 0, day: dayOf(0) }
  function dayAt(at: number): string {
    const number = Math.floor(at / dayMs)
    if (number !== known.number) known = { number, day: dayOf(number * dayMs) }
    return known.day
  }

  function sumsOf({ operation: { name }, actor, at }: CallRecord, measure: Sums['measure']): Sums {
    const { userId, integrationId = '' } = actor
    const day = dayAt(at)
    // The user isn't part of the name, because an integration belongs to one person.
    return counts.pending(`${name} ${measure} ${day} ${integrationId}`, () => {
      const none = { calls: 0, errors: 0, refused: 0, tokens: 0, slots: Array.from({ length: slotCount }, () => 0) }
      return { userId, day, integrationId, operation: name, measure, ...none }
    })
  }

  return {
    add(call) {
      const { actor, status, durationMs, answerChars, tokens } = call
      if (actor.kind !== 'agent') return
      const sum = sumsOf(call, 'ms')
      sum.calls++
      sum.tokens += tokens
      if (status === 429) sum.refused++
      else if (status >= 400) sum.errors++
      else addTo(sum.slots, slotOf(durationMs, firstMs))
      if (answerChars === undefined) return
      const lengths = sumsOf(call, 'chars')
      lengths.calls++
      addTo(lengths.slots, slotOf(answerChars, firstChars))
    },
    flush: () => counts.flush(),
    stop: () => counts.stop(),
  }
}

function addCounts(sum: Sums, more: Sums): void {
  sum.calls += more.calls
  sum.errors += more.errors
  sum.refused += more.refused
  sum.tokens += more.tokens
  for (const [slot, count] of more.slots.entries()) addTo(sum.slots, slot, count)
}

function addTo(slots: number[], slot: number, count = 1): void {
  slots[slot] = (slots[slot] ?? 0) + count
}
