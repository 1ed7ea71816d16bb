import { pauses } from '../core/in-pieces.ts'
import { dayMs, dayOf } from '../core/time.ts'
import type { Reader } from '../db/dialect.ts'
import { sumCallsBy, sumCallsByDay, sumLengths, type CallFilter, type CallSums } from '../calls/call-count-store.ts'

export interface CountedCalls extends CallSums {
  slots: readonly number[]
}

export interface CallsRead {
  /** By operation or integration, most calls first. */
  rows: (CountedCalls & { name: string })[]
  days: (CallSums & { day: string })[]
  /** Histogram of answer lengths. */
  lengths: readonly number[]
}

/** Summing up this many days takes a few milliseconds. All 400 at once would block other requests for 0.1 s. */
const daysAtOnce = 31

/** Sums up all matching calls, a few days at a time. */
export async function readCalls(db: Reader, filter: CallFilter, by: 'operation' | 'integrationId'): Promise<CallsRead> {
  const pause = pauses()
  const sums = new Map<string, CountedCalls>()
  const days: CallsRead['days'] = []
  let lengths: readonly number[] = []
  for (const part of partsOf(filter)) {
    for (const { name, ...row } of await sumCallsBy(db, part, by))
      sums.set(name, addUp([sums.get(name) ?? nothing, row]))
    await pause()
    days.push(...(await sumCallsByDay(db, part)))
    lengths = addSlots(lengths, await sumLengths(db, part))
    await pause()
  }
  const rows = [...sums].map(([name, row]) => ({ name, ...row }))
  return { rows: rows.toSorted((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)), days, lengths }
}

function partsOf(filter: CallFilter): CallFilter[] {
  const parts: CallFilter[] = []
  const end = Date.parse(filter.lastDay)
  for (let at = Date.parse(filter.firstDay); at <= end; at += daysAtOnce * dayMs)
    parts.push({ ...filter, firstDay: dayOf(at), lastDay: dayOf(Math.min(end, at + (daysAtOnce - 1) * dayMs)) })
  return parts
}

const nothing: CountedCalls = { calls: 0, errors: 0, refused: 0, tokens: 0, slots: [] }

export const addUp = (all: readonly CountedCalls[]): CountedCalls =>
  all.reduce(
    (sum, one) => ({
      calls: sum.calls + one.calls,
      errors: sum.errors + one.errors,
      refused: sum.refused + one.refused,
      tokens: sum.tokens + one.tokens,
      slots: addSlots(sum.slots, one.slots),
    }),
    nothing,
  )

const addSlots = (sum: readonly number[], more: readonly number[]): readonly number[] =>
  more.length === 0 ? sum : more.map((count, slot) => count + (sum[slot] ?? 0))
