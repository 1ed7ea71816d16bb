import { overloaded } from '../core/errors.ts'

/** Resolves once a search of the vault may run, which it must do at once. Rejects with `overloaded` if that takes too long. */
export type SearchTurns = (vaultId: string) => Promise<void>

interface Waiting {
  start: () => void
  refuse: (reason: Error) => void
  /** Milliseconds, of the clock that `createSearchTurns` was given. */
  since: number
}

const maxWaitMs = 1_800
const retrySeconds = 2

/**
 * One search runs in each turn of the event loop, and the vaults take turns. Node runs everything that has arrived in one turn, so with 32
 * searches at once every other call waited for all of them. A vault's searches run in the order in which they came.
 */
export function createSearchTurns(now = () => performance.now()): SearchTurns {
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
    const [vault] = queues
    if (vault === undefined) return
    const [vaultId, queue] = vault
    const next = queue.shift()
    queues.delete(vaultId)
    if (queue.length > 0) queues.set(vaultId, queue)
    if (next !== undefined) take(now() - next.since > maxWaitMs ? () => next.refuse(tooMany()) : next.start)
  }
  return (vaultId) =>
    new Promise((start, refuse) => {
      if (!isTaken) return take(start)
      const queue = queues.get(vaultId) ?? []
      queue.push({ start, refuse, since: now() })
      queues.set(vaultId, queue)
    })
}

const tooMany = () => overloaded('too many searches at once', retrySeconds, 'too_many_searches')
