import { overloaded } from './errors.ts'

/** Whose turn it is: the caller's, who may use a vault of someone else. */
interface TurnTaker {
  userId: string
  vaultId: string
}

/** Resolves once the work of this call may run, which it must do at once. Rejects with `overloaded` if that takes too long. */
export type LoopTurns = (taker: TurnTaker) => Promise<void>

interface Waiting {
  start: () => void
  refuse: (reason: Error) => void
  /** Milliseconds, of the clock that `createLoopTurns` was given. */
  since: number
}

const maxWaitMs = 1_800
const retrySeconds = 2

/**
 * One work runs in each turn of the event loop. Users go around, and so do the vaults of each user. Node runs everything that has arrived
 * in one turn, so with 32 searches at once every other call waited for all of them. The works of a user in a vault run in the order in
 * which they came.
 */
export function createLoopTurns(now = () => performance.now()): LoopTurns {
  const users = new Map<string, Map<string, Set<Waiting>>>()
  let isTaken = false
  const take = (use: () => void) => {
    isTaken = true
    setImmediate(endTurn)
    use()
  }
  const endTurn = () => {
    isTaken = false
    const next = goAround(users, (vaults) => goAround(vaults, nextOf))
    if (next !== undefined) take(next.start)
  }
  /** Refuses those before it that have waited for too long. */
  const nextOf = (queue: Set<Waiting>): Waiting | undefined => {
    for (const next of queue) {
      queue.delete(next)
      if (now() - next.since <= maxWaitMs) return next
      next.refuse(overloaded('too many requests at once', retrySeconds))
    }
    return undefined
  }
  return ({ userId, vaultId }) =>
    new Promise((start, refuse) => {
      if (!isTaken) return take(start)
      const vaults = users.get(userId) ?? new Map<string, Set<Waiting>>()
      const queue = vaults.get(vaultId) ?? new Set()
      queue.add({ start, refuse, since: now() })
      vaults.set(vaultId, queue)
      users.set(userId, vaults)
    })
}

/** The next of the first line that has one. That line goes to the end, or away if nothing is left in it. */
function goAround<Line extends { size: number }>(
  lines: Map<string, Line>,
  nextOf: (line: Line) => Waiting | undefined,
): Waiting | undefined {
  for (const [id, line] of lines) {
    const next = nextOf(line)
    lines.delete(id)
    if (line.size > 0) lines.set(id, line)
    if (next !== undefined) return next
  }
  return undefined
}

/** Of the process, because all apps in it share its event loop. For work that takes milliseconds: searches, and extracting memories. */
export const loopTurn = createLoopTurns()
