import type { Sealed } from '../../crypto/cell.ts'

export interface NotesTable {
  id: string
  userId: string
  vaultId: string
  /** Null at the vault's root. */
  folderId: string | null
  /** Of the title as titles are compared. */
  titleTag: Uint8Array
  externalTag: Uint8Array | null
  trashedAt: number | null
  wordCount: number
  /** Sealed JSON of all that is short: title, tags, preview, names. */
  head: Sealed
  /** Sealed text of the content. */
  body: Sealed
  /** In the sealed cells' address; rises when they are sealed anew. */
  contentRevision: number
  version: number
  createdAt: number
  updatedAt: number
}

/** A tag of a note, as tags are compared, trashed notes included. */
export interface NoteTagsTable {
  userId: string
  vaultId: string
  noteId: string
  tag: Uint8Array
}

/** What a note was before a change of its title, content or tags. */
export interface NoteVersionsTable {
  userId: string
  vaultId: string
  noteId: string
  version: number
  state: Sealed
}

/** A title that a live note links to, whether or not a note has it. */
export interface WikiTargetsTable {
  userId: string
  vaultId: string
  noteId: string
  titleTag: Uint8Array
}

export interface FoldersTable {
  id: string
  userId: string
  vaultId: string
  parentId: string | null
  /** Of the parent and the name together. */
  nameTag: Uint8Array
  name: Sealed
  version: number
  createdAt: number
  updatedAt: number
}
