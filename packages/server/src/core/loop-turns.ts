import { overloaded } from './errors.ts'

/**
 * Resolves once the work of a call to this vault may run, which it must do at once. Rejects with `overloaded` if that takes too long.
 */
export type LoopTurns = (vaultId: string) => Promise<void>

interface Waiting {
  start: () => void
  refuse: (reason: Error) => void
  /** Milliseconds, of the clock that `createLoopTurns` was given. */
  since: number
}

const maxWaitMs = 1_800
const retrySeconds = 2

/**
 * One work runs in each turn of the event loop, and the vaults go around. Node runs everything that has arrived in one turn, so with 32
 * searches at once every other call waited for all of them. The works of a vault run in the order in which they came.
 */
export function createLoopTurns(now = () => performance.now()): LoopTurns {
  /** By vault. The first vault is next. */
  const queues = new Map<string, Waiting[]>()
  let isTaken = false
  const take = (use: () => void) => {
    isTaken = true
    setImmediate(endTurn)
    use()
  }
  const endTurn = () => {
    isTaken = false
    for (const [vaultId, queue] of queues) {
      const next = nextOf(queue)
      queues.delete(vaultId)
      if (queue.length > 0) queues.set(vaultId, queue)
      if (next !== undefined) return take(next.start)
    }
  }
  /** Refuses those before it that have waited for too long. */
  const nextOf = (queue: Waiting[]): Waiting | undefined => {
    for (;;) {
      const next = queue.shift()
      if (next === undefined || now() - next.since <= maxWaitMs) return next
      next.refuse(overloaded('too many requests at once', retrySeconds))
    }
  }
  return (vaultId) =>
    new Promise((start, refuse) => {
      if (!isTaken) return take(start)
      const queue = queues.get(vaultId) ?? []
      queue.push({ start, refuse, since: now() })
      queues.set(vaultId, queue)
    })
}

/** Of the process, because all apps in it share its event loop. For work that takes milliseconds: searches, and extracting memories. */
export const loopTurn = createLoopTurns()
