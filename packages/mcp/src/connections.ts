import { randomUUID } from 'node:crypto'
import type { VaultDirectory } from './vault-directory.ts'

/**
 * What is remembered of one agent between its calls. Nothing depends on it but comfort: names of vaults without a look-up,
 * one run for what belongs together, and that a remark is made once. It lies in memory alone, so that any server can answer
 * any call, and a restart costs an agent nothing.
 */
export interface Connection {
  directory: { found: Promise<VaultDirectory>; at: number } | undefined
  run: { id: string; lastAt: number } | undefined
  /** What the client said that it is, where only its first request said it. */
  clientName: string | undefined
  /** Runs that were told that they write to a vault nobody named. */
  readonly told: Set<string>
  lastAt: number
}

export const newConnection = (at: number): Connection => ({
  directory: undefined,
  run: undefined,
  clientName: undefined,
  told: new Set(),
  lastAt: at,
})

/** Calls that say no run belong to one if they come within this time of each other. */
const runIdleMs = 30 * 60_000
const maxConnections = 2_000
const maxTold = 100

/** Connections by what tells agents apart: the hash of the key and the client. The least lately used goes first. */
export function createConnections(now: () => number): (key: string) => Connection {
  const known = new Map<string, Connection>()
  return (key) => {
    const at = now()
    const found = known.get(key)
    const connection = found !== undefined && at - found.lastAt <= runIdleMs ? found : newConnection(at)
    connection.lastAt = at
    // Put in last again, so that the first is the one to go.
    known.delete(key)
    known.set(key, connection)
    const [oldest] = known.keys()
    if (known.size > maxConnections && oldest !== undefined) known.delete(oldest)
    return connection
  }
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
