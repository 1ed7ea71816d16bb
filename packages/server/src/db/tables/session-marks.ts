import type { Sealed } from '../../crypto/cell.ts'

/** How far an agent knew a vault when it last began or saved a session there. */
export interface SessionMarksTable {
  userId: string
  vaultId: string
  agentTag: Uint8Array
  at: number
  /** The vault's change number of that moment. */
  seq: number
  /** The run that begun there last, keyed; null where it was saved since, or an older version wrote the mark. */
  runTag: Uint8Array | null
  /** `at` and `seq` before this run; null where the agent had not been there. */
  sinceAt: number | null
  sinceSeq: number | null
  /** The memory that holds the agent's latest session summary. */
  summaryMemoryId: string | null
  summaryAt: number | null
}

/** The answer to a checkpoint, for whoever sends the same again. */
export interface CheckpointsTable {
  userId: string
  vaultId: string
  tag: Uint8Array
  answer: Sealed
  createdAt: number
}
