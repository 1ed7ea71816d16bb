import type { Sealed } from '../../crypto/cell.ts'

export interface NotesTable {
  id: string
  userId: string
  vaultId: string
  /** Null at the vault's root. */
  folderId: string | null
  /** Tag of the title, normalized for comparisons. */
  titleTag: Uint8Array
  externalTag: Uint8Array | null
  trashedAt: number | null
  wordCount: number
  /** Sealed JSON of everything short: title, tags, preview, names. Lists open only this. */
  head: Sealed
  /** Sealed text of the content. */
  body: Sealed
  /** Part of the address that the cells are sealed to. Rises each time they are sealed. */
  contentRevision: number
  version: number
  createdAt: number
  updatedAt: number
  /** The integration that moved what a person wrote to the trash; null otherwise. */
  removedById: string | null
}

/** A tag of a note, normalized for comparisons. Notes in the trash keep their tags. */
export interface NoteTagsTable {
  userId: string
  vaultId: string
  noteId: string
  tag: Uint8Array
}

/** A note's title, content and tags before a change of them. */
export interface NoteVersionsTable {
  userId: string
  vaultId: string
  noteId: string
  version: number
  state: Sealed
  /** Of the agent that wrote this version; null if a person did, or an earlier release stored it. */
  integrationId: string | null
  /** What its text counts as (`provenanceOf`); `unknown` if an earlier release stored it. */
  provenance: string
  /** Tag of the run whose change replaced this version. */
  replacedInRun: Uint8Array | null
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
  /** Tag of the parent and the name together. */
  nameTag: Uint8Array
  name: Sealed
  version: number
  createdAt: number
  updatedAt: number
}
