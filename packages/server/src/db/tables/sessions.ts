import type { Sealed } from '../../crypto/cell.ts'

/** A run of an agent in a vault: what it did last, and how many calls it has made. */
export interface RunsTable {
  id: string
  userId: string
  vaultId: string
  runTag: Uint8Array
  agentTag: Uint8Array
  integrationId: string | null
  /** Sealed JSON: run id, agent, model, current activity, metadata. */
  head: Sealed
  headRevision: number
  toolCalls: number
  reads: number
  writes: number
  failures: number
  /** Of the last one. */
  checkpointAt: number | null
  startedAt: number
  lastSeenAt: number
  endedAt: number | null
}

/** Calls of a run that were written together. */
export interface RunCallsTable {
  id: string
  userId: string
  vaultId: string
  runId: string
  /** Sealed JSON: a list of operations, times, statuses and ids, in their order. */
  body: Sealed
  calls: number
  createdAt: number
}

/** A turn of a conversation, as it was handed in. Never changed but for what became of it. */
export interface TurnsTable {
  id: string
  userId: string
  vaultId: string
  integrationId: string | null
  /** As its run has it; null where it named none, or was handed in before this was kept. */
  runTag: Uint8Array | null
  score: number
  status: 'skipped' | 'stored' | 'extracted' | 'queued' | 'failed'
  /** Sealed JSON: content, role, who, run. */
  body: Sealed
  occurredAt: number
  createdAt: number
}

/** A turn that waits for the language model. */
export interface ExtractionJobsTable {
  userId: string
  vaultId: string
  turnId: string
  attempt: number
  /** When it is next due; while a server works on it, until when no other may. */
  dueAt: number
}
