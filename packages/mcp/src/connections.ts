import { randomUUID } from 'node:crypto'
import type { VaultDirectory } from './vault-directory.ts'

/**
 * What is remembered of one agent between its calls. Nothing depends on it but comfort: names of vaults without a look-up,
 * one run for what belongs together, and that a remark is made once. Never who an agent is. It lies in memory alone, so that
 * any server can answer any call, and a restart costs an agent nothing.
 */
export interface Connection {
  directory: { found: Promise<VaultDirectory>; at: number } | undefined
  run: { id: string; lastAt: number } | undefined
  /** Runs that were told that they write to a vault nobody named. */
  readonly told: Set<string>
  lastAt: number
}

export const newConnection = (at: number): Connection => ({
  directory: undefined,
  run: undefined,
  told: new Set(),
  lastAt: at,
})

/** Calls that say no run belong to one if they come within this time of each other. */
const runIdleMs = 30 * 60_000
const maxKeys = 1_000
/** Of one key: whoever makes up clients forgets only his own. */
const maxClients = 16
const maxTold = 100

/** Connections by what tells agents apart: hashes of the key, and of what is known of the client. The least lately used go first. */
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

/** Puts it in last, so that the first is the one to go. */
function touch<Value>(known: Map<string, Value>, key: string, value: Value, most: number): Value {
  known.delete(key)
  known.set(key, value)
  const [oldest] = known.keys()
  if (known.size > most && oldest !== undefined) known.delete(oldest)
  return value
}

/** The run of a call that names none; marked, since nobody said that these calls belong together. */
export function inferRun(connection: Connection, at: number): string {
  const { run } = connection
  const id = run !== undefined && at - run.lastAt <= runIdleMs ? run.id : `inferred-${randomUUID()}`
  connection.run = { id, lastAt: at }
  return id
}

/** Whether this run hears it for the first time. */
export function isNews({ told }: Connection, run: string): boolean {
  if (told.has(run)) return false
  if (told.size >= maxTold) told.clear()
  told.add(run)
  return true
}
