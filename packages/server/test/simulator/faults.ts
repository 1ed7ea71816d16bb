// What goes wrong in a history, planned by its seed before it begins.

import type { Random } from '../fuzz/random.ts'

const kinds = [
  // The database refuses the statement.
  'error',
  // The connection is cut before the statement arrives, or before its answer does.
  'request lost',
  'answer lost',
  // The server ends before it sends the statement, or before it gets the answer.
  'crash before',
  'crash after',
  // The database ends the transaction before its next statement arrives, because the server did nothing for so long.
  'idle for too long',
] as const

type FaultKind = (typeof kinds)[number]

export interface Fault {
  kind: FaultKind
  /** Which statement, as `labelOf` calls it; undefined: any. */
  point: string | undefined
  /** The n-th of them, from 1, on whatever server it is. */
  nth: number
  /** For errors: SQLSTATE. */
  code: string
}

/** Between what belongs together. The commit is where an answer matters most. */
const points = [
  'commit',
  'commit',
  'commit',
  'begin',
  'update vaults',
  'insert memories',
  'insert indexEntries',
  'insert webhookDeliveries',
  'insert messages',
  'update webhookDeliveries',
  'update tasks',
  'insert jobLeases',
  undefined,
  undefined,
  undefined,
] as const

/** Input or output failed, the disk is full, could not serialize, deadlock, the administrator ended it. */
const codes = ['58030', '53100', '40001', '40P01', '57P01'] as const

export function planFaults(random: Random): Fault[] {
  const count = random.pick([0, 1, 1, 2, 2, 3, 4])
  return Array.from({ length: count }, () => {
    const point = random.pick(points)
    return {
      kind: random.pick(kinds),
      point,
      nth: random.int(1, point === undefined ? 200 : point === 'commit' || point === 'begin' ? 20 : 5),
      code: random.pick(codes),
    }
  })
}

export interface Faults {
  /** What goes wrong with the statement that begins now. */
  at(point: string): Fault | undefined
  /** From now on, nothing goes wrong. */
  calmDown(): void
}

export function startFaults(planned: readonly Fault[]): Faults {
  const counts = new Map<string | undefined, number>()
  let due = [...planned]
  const count = (point: string | undefined) => {
    const nth = (counts.get(point) ?? 0) + 1
    counts.set(point, nth)
    return nth
  }
  return {
    at(point) {
      const nths = new Map([point, undefined].map((one) => [one, count(one)]))
      const found = due.find((fault) => nths.get(fault.point) === fault.nth && nths.has(fault.point))
      due = due.filter((fault) => fault !== found)
      return found
    },
    calmDown: () => void (due = []),
  }
}

/** `update vaults`, `commit`, … */
export function labelOf(sql: string): string {
  const verb = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? ''
  if (verb === 'begin' || verb === 'commit' || verb === 'rollback') return verb
  const table = /\b(?:into|from|update)\s+"(\w+)"/i.exec(sql)?.[1] ?? ''
  return `${verb} ${table}`.trim()
}
