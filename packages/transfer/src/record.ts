/**
 * A record as readers return it and exports write it. Fields that a source does not have are left out, as in a record that is
 * written now. The server checks every field; `server/src/transfer/record.ts` keeps these types in line with its schemas.
 *
 * - Ref: a reference to a record of the same import whose id is not known yet: its id in the source, or its `externalWriteId`.
 */

type Ref = string
/** ISO 8601. */
type Time = string

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

interface Origin {
  id?: string | undefined
  externalWriteId?: string | undefined
  version?: number | undefined
  createdAt?: Time | undefined
  updatedAt?: Time | undefined
}

/** The author. */
interface Writer {
  agentId?: string | undefined
  agentRunId?: string | undefined
  modelId?: string | undefined
}

interface NoteRecord extends Origin, Writer {
  kind: 'note'
  title: string
  content?: string | undefined
  tags?: string[] | undefined
  folderPath?: string | undefined
  trashedAt?: Time | undefined
}

interface MemoryRecord extends Origin, Writer {
  kind: 'memory'
  content: string
  summary?: string | undefined
  memoryType?: 'fact' | 'skill' | 'preference' | 'constraint' | 'task' | 'episodic' | 'correction' | undefined
  importance?: number | undefined
  confidence?: number | undefined
  entities?: string[] | undefined
  sourceNoteIds?: Ref[] | undefined
  supersedesId?: string | undefined
  supersededById?: string | undefined
  supersededAt?: Time | undefined
  expiresAt?: Time | undefined
  occurredAt?: Time | undefined
  metadata?: Record<string, Json> | undefined
  writeReason?: string | undefined
  archivedAt?: Time | undefined
}

interface LinkRecord {
  kind: 'link'
  sourceType: 'note' | 'memory'
  source: Ref
  targetType: 'note' | 'memory'
  target: Ref
  relationType:
    | 'wiki_link'
    | 'derived_from'
    | 'contradicts'
    | 'refines'
    | 'part_of'
    | 'supersedes'
    | 'source_of'
    | 'references'
    | 'manual'
  label?: string | undefined
  origin?: 'agent' | 'wiki' | 'write' | 'dashboard' | undefined
  createdAt?: Time | undefined
}

interface DocumentRecord {
  kind: 'document'
  documentType: 'soul' | 'instructions' | 'skills' | 'checks'
  content: string
}

/** A record that only Holdfast exports contain. It is passed on unchanged. */
interface OtherRecord<K extends string> {
  kind: K
}

interface Records {
  settings: OtherRecord<'settings'>
  folder: OtherRecord<'folder'>
  note: NoteRecord
  noteVersion: OtherRecord<'noteVersion'>
  memory: MemoryRecord
  memoryVersion: OtherRecord<'memoryVersion'>
  link: LinkRecord
  message: OtherRecord<'message'>
  document: DocumentRecord
  documentVersion: OtherRecord<'documentVersion'>
}

export type Kind = keyof Records
export type RecordOf<K extends Kind> = Records[K]
export type TransferRecord = Records[Kind]
