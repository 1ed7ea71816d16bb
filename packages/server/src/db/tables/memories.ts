import type { Sealed } from '../../crypto/cell.ts'

export interface MemoriesTable {
  id: string
  userId: string
  vaultId: string
  type: string
  importance: number
  confidence: number
  archivedAt: number | null
  expiresAt: number | null
  occurredAt: number
  supersedesId: string | null
  supersededById: string | null
  externalTag: Uint8Array | null
  /** Sealed JSON of everything short: summary, entities, names, reasons, metadata. */
  head: Sealed
  /** Sealed text of the content. */
  body: Sealed
  /** Part of the address that the cells are sealed to. Rises each time they are sealed. */
  contentRevision: number
  version: number
  integrationId: string | null
  createdAt: number
  updatedAt: number
  /** Copies of `tasks.status` and `tasks.assigneeTag`, so that lists of tasks need only an index. */
  taskStatus: string | null
  assigneeTag: Uint8Array | null
  /** The integration that last changed the text; null if only its author or a person did. */
  changedById: string | null
  /** The integration that archived or superseded what a person wrote, or let it expire; null otherwise. */
  removedById: string | null
}

/** How often agents read or found a memory. A memory without a row was never read. */
export interface MemoryReadsTable {
  userId: string
  vaultId: string
  memoryId: string
  /** Null if only an import says that it was read. */
  lastAccessedAt: number | null
  accessCount: number
}

/** The text of a memory before another writer changed it. */
export interface MemoryVersionsTable {
  userId: string
  vaultId: string
  memoryId: string
  version: number
  /** Who wrote that text last; null for people. */
  integrationId: string | null
  /** What its text counts as (`provenanceOf`); `unknown` if an earlier release stored it. */
  provenance: string
  /** Tag of the run that replaced it, as in `runs`. */
  replacedInRun: Uint8Array | null
  state: Sealed
}

/** What a memory of type `task` has in addition. The row stays if the memory changes its type for a while. */
export interface TasksTable {
  /** The memory's id. */
  id: string
  userId: string
  vaultId: string
  status: string
  assigneeTag: Uint8Array | null
  completedAt: number | null
  /** Sealed JSON of assignee, conditions and history; null while there is nothing beyond the memory. */
  detail: Sealed | null
  /** Part of the address that the cell is sealed to. Rises with each change. */
  revision: number
}

/** An `externalWriteId` of a write that was merged into a record that already existed. */
export interface ClaimedWritesTable {
  userId: string
  vaultId: string
  externalTag: Uint8Array
  /** The record that answered. */
  id: string
}

/** A change that an agent asked for and a person decides about. */
export interface ProposalsTable {
  userId: string
  vaultId: string
  id: string
  /** Whose key asked for it. */
  integrationId: string
  /** `memory`, also for a task, or `note`. */
  recordType: string
  /** The record that would change. */
  recordId: string
  status: string
  createdAt: number
  /** When it was accepted, rejected or withdrawn. */
  settledAt: number | null
  /** Keyed, of the change: the same change is proposed once. */
  tag: Uint8Array
  /** Tag of the run that asked for it, as in `runs`. */
  runTag: Uint8Array | null
  /** Sealed JSON of the change and who asked. */
  body: Sealed
}

/** A person's decision to keep one memory, or two together, unchanged, or to accept everything that an agent guesses. */
export interface ReviewDecisionsTable {
  userId: string
  vaultId: string
  /** What kind of finding was reviewed. */
  kind: string
  /** The lesser of two ids. */
  firstId: string
  /** Empty if there is only one. */
  secondId: string
  at: number
}
