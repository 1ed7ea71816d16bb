import { overloaded } from '../core/errors.ts'

/** Resolves once a search of the vault may run. Rejects with `overloaded` if its other searches wait for too long. */
export type SearchTurns = (vaultId: string) => Promise<void>

/** A search that waits, and since when, in milliseconds. */
interface Waiting {
  start: () => void
  since: number
}

/** As long as the event loop may be blocked before the server counts as overloaded. */
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
  const take = (start: () => void) => {
    isTaken = true
    setImmediate(endTurn)
    start()
  }
  const endTurn = () => {
    isTaken = false
    const [next] = queues
    if (next === undefined) return
    const [vaultId, queue] = next
    const first = queue.shift()
    queues.delete(vaultId)
    if (queue.length > 0) queues.set(vaultId, queue)
    if (first !== undefined) take(first.start)
  }
  const wait = (vaultId: string, start: () => void) => {
    const queue = queues.get(vaultId) ?? []
    if (now() - (queue[0]?.since ?? Infinity) > maxWaitMs)
      throw overloaded('too many other searches in this vault', retrySeconds, 'too_many_searches')
    queue.push({ start, since: now() })
    queues.set(vaultId, queue)
  }
  return (vaultId) => new Promise((start) => (isTaken ? wait(vaultId, start) : take(start)))
}
