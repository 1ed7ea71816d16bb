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
  /** Sealed JSON of all that is short: summary, entities, names, reasons, metadata. */
  head: Sealed
  /** Sealed text of the content. */
  body: Sealed
  /** In the sealed cells' address; rises when they are sealed anew. */
  contentRevision: number
  version: number
  integrationId: string | null
  accessCount: number
  lastAccessedAt: number | null
  createdAt: number
  updatedAt: number
  /** Of the row in `tasks`, where there is one, so that lists need nothing but an index. */
  taskStatus: string | null
  assigneeTag: Uint8Array | null
}

export interface LinksTable {
  id: string
  userId: string
  vaultId: string
  seq: number
  sourceType: string
  sourceId: string
  targetType: string
  targetId: string
  relationType: string
  label: Sealed | null
  origin: string
  createdAt: number
  /** A removed link stays as a change that indexes have to learn of; adding it again makes a new link of its row. */
  removedAt: number | null
  externalTag: Uint8Array | null
}
