import { randomUUID } from 'node:crypto'
import type { VaultDirectory } from './vault-directory.ts'

/**
 * What the server remembers about an agent between calls, only for convenience: vault names without a lookup, one run for
 * related calls, and which warnings it has given. It never determines who an agent is. It exists only in memory, so any server
 * can answer any call, and a restart costs an agent nothing.
 */
export interface Connection {
  directory: { found: Promise<VaultDirectory>; at: number } | undefined
  run: { id: string; lastAt: number } | undefined
  /** Runs that were warned about the default vault. */
  readonly warned: Set<string>
  lastAt: number
}

export const newConnection = (at: number): Connection => ({
  directory: undefined,
  run: undefined,
  warned: new Set(),
  lastAt: at,
})

/** Calls without a run belong to the same run if less time than this passes between them. */
const runIdleMs = 30 * 60_000
const maxKeys = 1_000
/** Per key, so clients with made-up names only evict each other. */
const maxClients = 16
const maxWarned = 100

/** Keeps connections by ids of keys and hashes of clients. Evicts the least recently used. */
export function createConnections(now: () => number): (key: string, client: string) => Connection {
  const known = new Map<string, Map<string, Connection>>()
  return (key, client) => {
    const at = now()
    const clients = touch(known, key, known.get(key) ?? new Map<string, Connection>(), maxKeys)
    const found = clients.get(client)
    const isFresh = found !== undefined && at - found.lastAt <= runIdleMs
    const connection = touch(clients, client, isFresh ? found : newConnection(at), maxClients)
    connection.lastAt = at
    return connection
  }
}

/** Moves the entry to the end and evicts the first. */
function touch<Value>(known: Map<string, Value>, key: string, value: Value, most: number): Value {
  known.delete(key)
  known.set(key, value)
  const [oldest] = known.keys()
  if (known.size > most && oldest !== undefined) known.delete(oldest)
  return value
}

/** Returns the run of a call that names none. Its id is marked, because it is a guess that these calls belong together. */
export function inferRun(connection: Connection, at: number): string {
  const { run } = connection
  const id = run !== undefined && at - run.lastAt <= runIdleMs ? run.id : `inferred-${randomUUID()}`
  connection.run = { id, lastAt: at }
  return id
}

/** Whether this run has not been warned before. */
export function isFirstWarning({ warned }: Connection, run: string): boolean {
  if (warned.has(run)) return false
  if (warned.size >= maxWarned) warned.clear()
  warned.add(run)
  return true
}
