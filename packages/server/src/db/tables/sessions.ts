import type { Sealed } from '../../crypto/cell.ts'

/** How far an agent knew a vault when it last started or saved a session there. */
export interface SessionMarksTable {
  userId: string
  vaultId: string
  agentTag: Uint8Array
  at: number
  /** The vault's change number at that time. */
  seq: number
  /** Keyed tag of the run that started last; null if the session was saved since. */
  runTag: Uint8Array | null
  /** `at` and `seq` before this run; null if the agent hadn't been there. */
  sinceAt: number | null
  sinceSeq: number | null
  /** The memory that holds the agent's latest session summary. */
  summaryMemoryId: string | null
  summaryAt: number | null
}

/** The answer to a checkpoint, for an agent that sends the same one again. */
export interface CheckpointsTable {
  userId: string
  vaultId: string
  tag: Uint8Array
  answer: Sealed
  createdAt: number
}

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
  /** When it last saved a checkpoint. */
  checkpointAt: number | null
  startedAt: number
  lastSeenAt: number
  endedAt: number | null
}

/** What calls without a run id say about their agent. One row per agent and vault. */
export interface AgentSightingsTable {
  userId: string
  vaultId: string
  /** The same keyed tag as in `runs`. */
  agentTag: Uint8Array
  integrationId: string
  /** Sealed JSON: agent, model. */
  head: Sealed
  headRevision: number
  /** Calls since `startedAt`. */
  calls: number
  /** The first call after an hour without any. */
  startedAt: number
  lastSeenAt: number
}

/** Calls of a run that were written together. */
export interface RunCallsTable {
  id: string
  userId: string
  vaultId: string
  runId: string
  /** Sealed JSON: a list of operations, times, statuses and ids, in order. */
  body: Sealed
  calls: number
  createdAt: number
}

/** A turn of a conversation as it was sent. Only its status changes. */
export interface TurnsTable {
  id: string
  userId: string
  vaultId: string
  integrationId: string | null
  /** Keyed tag of its run; null if the call named none. */
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
  /** When it is next due; while a server works on it, until when no other server may. */
  dueAt: number
}
