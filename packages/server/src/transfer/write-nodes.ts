import { isoTime } from '../core/time.ts'
import type { Tx } from '../db/dialect.ts'
import { externalKindOf } from '../memories/claim-store.ts'
import { factsOf, prepareEntry } from '../memories/index-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { insertMemory } from '../memories/store.ts'
import type { TaskState } from '../memories/task-state.ts'
import { insertTask } from '../memories/task-store.ts'
import type { FormerText } from '../memories/version-store.ts'
import { placeIn } from '../notes/folder.ts'
import { prepareNoteEntry } from '../notes/save-note.ts'
import { linkNewNote } from '../notes/link-notes.ts'
import type { Note } from '../notes/note.ts'
import { insertNote } from '../notes/save-note.ts'
import type { NoteVersion } from '../notes/version-store.ts'
import { importRoutes, type Shapers, type Writer } from '../operation/writer.ts'
import { renameMemories } from '@holdfast/transfer/text/wiki-links'
import { countWords } from '../text/tokenize.ts'
import { previewOfNote } from '../text/excerpts.ts'
import type { Indexing } from '../vault-index/index-record.ts'
import type { SettingsScope } from '../vaults/settings-store.ts'
import { insertEntry } from '../vault-index/stored/store.ts'
import type { CheckedOf } from './record.ts'

/** Notes and memories of an import, with their history. */

/** A record that is ready to write: everything that takes long is done. */
export interface Writing {
  /** The record's id and version. */
  recordId: string
  version: number
  /** What differs from the record, if anything. */
  reason?: string | undefined
  write(tx: Tx, seq: number): Promise<void>
}

export interface OpenVault extends SettingsScope {
  seq: number
}

export interface Importing extends Indexing {
  vault: OpenVault
  now(): number
}

/** The id that a record of the same import has here; undefined if it has none. */
export type Resolve = (ref: string) => string | undefined
type ResolveNode = (kind: 'note' | 'memory', ref: string) => string | undefined

/** References to memories in its text get the ids they have here. */
export async function prepareNote(
  ctx: Importing,
  record: CheckedOf<'note'>,
  id: string,
  resolve: Resolve,
): Promise<Writing> {
  const { vault } = ctx
  const content = renameMemories(record.content, (ref) => resolve(ref) ?? ref)
  const note = noteOf(ctx, { ...record, content }, id)
  const entry = await prepareNoteEntry(ctx, note)
  const write = async (tx: Tx, seq: number) => {
    const folderId = await placeIn(tx, vault, { folderPath: record.folderPath }, note.createdAt)
    const placed = { ...note, folderId }
    const insert = () => insertNote(tx, vault, seq, { note: placed, entry })
    if (placed.trashedAt === undefined) await linkNewNote(tx, vault, seq, { note: placed, write: insert })
    else await insert()
  }
  return { recordId: id, version: note.version, write }
}

function noteOf({ vault, now }: Importing, record: CheckedOf<'note'>, noteId: string): Note {
  const createdAt = msOf(record.createdAt) ?? now()
  return {
    noteId,
    vaultId: vault.id,
    folderId: undefined,
    content: record.content,
    wordCount: countWords(record.content),
    trashedAt: msOf(record.trashedAt),
    contentRevision: record.version ?? 1,
    version: record.version ?? 1,
    createdAt,
    updatedAt: msOf(record.updatedAt) ?? createdAt,
    head: {
      title: record.title,
      tags: record.tags,
      preview: previewOfNote(record.content),
      externalWriteId: record.externalWriteId,
      modelId: record.modelId,
      ...shapersOf(record, record),
    },
  }
}

/** Who shaped an imported text, as its file says. */
export const shapersOf = (
  { agentId, agentRunId, integrationId, route = 'import' }: CheckedOf<'document'>['author'],
  {
    changedBy,
    hasOtherWriters,
    trust = 'imported',
  }: Pick<CheckedOf<'document'>, 'changedBy' | 'hasOtherWriters' | 'trust'>,
): Shapers => ({
  integrationId,
  agentId,
  agentRunId,
  route,
  changedBy: changedBy && writerOf(changedBy),
  hasOtherWriters,
  trust,
})

export const writerOf = ({
  route = 'import',
  at,
  ...writer
}: NonNullable<CheckedOf<'document'>['changedBy']>): Writer => ({ ...writer, route, at: Date.parse(at) })

/** References to memories in its text get the ids they have here. */
export const noteVersionOf = (
  { title, content, tags, version, writer, trust = 'imported', updatedAt }: CheckedOf<'noteVersion'>,
  resolve: Resolve,
): NoteVersion => ({
  version,
  title,
  content: renameMemories(content, (ref) => resolve(ref) ?? ref),
  tags,
  updatedAt,
  writer: writerOf(writer ?? { at: updatedAt }),
  trust,
})

export async function prepareMemory(
  ctx: Importing,
  record: CheckedOf<'memory'>,
  id: string,
  resolve: ResolveNode,
): Promise<Writing> {
  const { vault } = ctx
  const memory = memoryOf(ctx, record, id, resolve)
  const entry = await prepareEntry(ctx, memory)
  const supersededAt = msOf(record.supersededAt) ?? (memory.supersededById === undefined ? null : memory.updatedAt)
  const write = async (tx: Tx, seq: number) => {
    await insertMemory(tx, vault, memory, externalKindOf(record))
    const { vectorModel, vectorsMissing } = entry.facts
    await insertEntry(tx, vault, seq, {
      itemId: id,
      facts: { ...factsOf(memory), supersededAt, vectorModel, vectorsMissing },
      entry: entry.bytes,
    })
    if (record.task !== undefined || memory.memoryType === 'task')
      await insertTask(tx, vault, id, record.task && taskOf(record.task))
  }
  const lost = (record.sourceNoteIds?.length ?? 0) - memory.head.sourceNoteIds.length
  const reason = lost > 0 ? `${lost} of its source notes ${lost === 1 ? 'does' : 'do'} not exist here` : undefined
  return { recordId: id, version: memory.version, reason, write }
}

function memoryOf(
  { vault, now }: Importing,
  record: CheckedOf<'memory'>,
  memoryId: string,
  resolve: ResolveNode,
): Memory {
  const createdAt = msOf(record.createdAt) ?? now()
  return {
    memoryId,
    vaultId: vault.id,
    memoryType: record.memoryType,
    content: record.content,
    importance: record.importance,
    confidence: record.confidence,
    supersedesId: idOf(record.supersedesId, resolve),
    supersededById: idOf(record.supersededById, resolve),
    archivedAt: msOf(record.archivedAt),
    expiresAt: msOf(record.expiresAt),
    occurredAt: msOf(record.occurredAt) ?? createdAt,
    integrationId: record.integrationId,
    accessCount: record.accessCount ?? 0,
    lastAccessedAt: msOf(record.lastAccessedAt),
    contentRevision: record.version ?? 1,
    version: record.version ?? 1,
    createdAt,
    updatedAt: msOf(record.updatedAt) ?? createdAt,
    head: {
      summary: record.summary,
      entities: record.entities ?? [],
      // An unknown id is kept, an unknown key is dropped.
      sourceNoteIds: (record.sourceNoteIds ?? []).flatMap((ref) => resolve('note', ref) ?? []),
      externalWriteId: record.externalWriteId,
      writeReason: record.writeReason,
      metadata: record.metadata ?? {},
      agentId: record.agentId,
      agentRunId: record.agentRunId,
      modelId: record.modelId,
      archiveReason: record.archiveReason,
      titleChars: record.titleChars,
      route: record.route ?? importRoutes.memory,
      changedBy: record.changedBy && writerOf(record.changedBy),
      hasOtherWriters: record.hasOtherWriters,
      trust: record.trust,
    },
  }
}

export const memoryVersionOf = (record: CheckedOf<'memoryVersion'>): FormerText => ({
  version: record.version,
  shape: {
    memoryType: record.memoryType,
    content: record.content,
    importance: record.importance,
    confidence: record.confidence,
    expiresAt: msOf(record.expiresAt),
    occurredAt: Date.parse(record.occurredAt),
    summary: record.summary,
    entities: record.entities ?? [],
    metadata: record.metadata ?? {},
    writeReason: record.writeReason,
    titleChars: record.titleChars,
  },
  task: record.task,
  changedBy: record.changedBy && writerOf(record.changedBy),
  hasOtherWriters: record.hasOtherWriters,
  trust: record.trust ?? 'imported',
  updatedAt: Date.parse(record.updatedAt),
})

// A record that was permanently deleted at the source keeps its id here, too.
const idOf = (ref: string | undefined, resolve: ResolveNode) => ref && (resolve('memory', ref) ?? ref)

const taskOf = ({
  status,
  completedAt,
  statusHistory,
  blockedBy,
  ...detail
}: NonNullable<CheckedOf<'memory'>['task']>): TaskState => ({
  status,
  completedAt: msOf(completedAt),
  detail: {
    ...detail,
    blockedBy: blockedBy && writerOf(blockedBy),
    statusHistory: statusHistory.map((change) => ({ ...change, at: Date.parse(change.at) })),
  },
  revision: 1,
})

export const msOf = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : Date.parse(time)

export const timeOf = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : isoTime(ms))
