import type { Log } from '../core/log.ts'
import { dayMs, dayOf } from '../core/time.ts'
import type { Database } from '../db/dialect.ts'
import type { CallCounter, CountedCall } from '../operation/call-counter.ts'
import { addCallCounts, type CallCounts } from './call-count-store.ts'
import { gatherCounts } from './gather-counts.ts'
import { firstChars, firstMs, slotCount, slotOf } from './histogram.ts'

/** How long it is kept what agents have called. */
export const keptDays = 400

interface Options {
  db: Database
  log: Log
  now(): number
}

/** By day, operation and integration. A call adds to a few numbers in memory, which takes it a microsecond or two. */
export function createCallCounter({ db, log, now }: Options): CallCounter {
  const counts = gatherCounts<CallCounts, void>({
    write: (some) => addCallCounts(db, some),
    join: addCounts,
    warning: 'calls were not counted yet',
    log,
  })

  // Written out once a day: it would take each call longer than all the rest.
  let today = { number: 0, day: dayOf(0) }
  function dayNow(): string {
    const number = Math.floor(now() / dayMs)
    if (number !== today.number) today = { number, day: dayOf(number * dayMs) }
    return today.day
  }

  function countsOf({ userId, integrationId, operation }: CountedCall, measure: CallCounts['measure']): CallCounts {
    const day = dayNow()
    // An integration is one person's.
    return counts.pending(`${operation} ${measure} ${day} ${integrationId}`, () => {
      const none = { calls: 0, errors: 0, refused: 0, tokens: 0, slots: Array.from({ length: slotCount }, () => 0) }
      return { userId, day, integrationId, operation, measure, ...none }
    })
  }

  return {
    note(call) {
      const { status, durationMs, answerChars } = call
      const sum = countsOf(call, 'ms')
      sum.calls++
      if (status === 429) sum.refused++
      else if (status >= 400) sum.errors++
      else addTo(sum.slots, slotOf(durationMs, firstMs))
      if (answerChars === undefined) return
      const lengths = countsOf(call, 'chars')
      lengths.calls++
      addTo(lengths.slots, slotOf(answerChars, firstChars))
    },
    noteTokens: (call, tokens) => void (countsOf(call, 'ms').tokens += tokens),
    flush: counts.flush,
    stop: counts.stop,
  }
}

function addCounts(sum: CallCounts, more: CallCounts): void {
  sum.calls += more.calls
  sum.errors += more.errors
  sum.refused += more.refused
  sum.tokens += more.tokens
  for (const [slot, count] of more.slots.entries()) addTo(sum.slots, slot, count)
}

function addTo(slots: number[], slot: number, count = 1): void {
  slots[slot] = (slots[slot] ?? 0) + count
}
