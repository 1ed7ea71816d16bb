import type { Sealed } from '../../crypto/cell.ts'

/** What a vault says to its agents, one text of each type. */
export interface DocumentsTable {
  id: string
  userId: string
  /** The scope: the vault, or the user's own id for their defaults in all vaults. */
  vaultId: string
  documentType: string
  inheritMode: string
  agentEditable: number
  appendOnly: number
  /** Of the shipped template that it was begun from. */
  templateVersion: number
  /** Sealed JSON: content, who wrote it. */
  body: Sealed
  version: number
  createdAt: number
  updatedAt: number
}

/** A former text of a document. */
export interface DocumentVersionsTable {
  userId: string
  vaultId: string
  documentId: string
  version: number
  body: Sealed
  createdAt: number
}
