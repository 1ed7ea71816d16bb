import type { Sealed } from '../../crypto/cell.ts'

/** What a memory of type `task` is beyond a memory. The row stays where the memory becomes something else for a while. */
export interface TasksTable {
  /** The memory's. */
  id: string
  userId: string
  vaultId: string
  status: string
  assigneeTag: Uint8Array | null
  completedAt: number | null
  /** Sealed JSON of assignee, conditions and history; null while nothing has been said beyond the memory. */
  detail: Sealed | null
  /** In the sealed cell's address; rises with each change. */
  revision: number
}

/** `externalWriteId`s of writes that were folded into a record that had been there before. */
export interface ClaimedWritesTable {
  userId: string
  vaultId: string
  externalTag: Uint8Array
  /** The record that answered. */
  id: string
}
