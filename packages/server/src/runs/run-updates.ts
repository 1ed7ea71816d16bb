import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import {
  findDocuments,
  findFormerText as findDocumentText,
  listReplacedInRun as listReplacedDocuments,
  type StoredDocument,
} from '../documents/store.ts'
import { restoreText, storeText } from '../documents/update-document.ts'
import { authorOf, lastWriterOf, shapeOf } from '../memories/authorship.ts'
import type { Memory } from '../memories/memory.ts'
import { findMemories } from '../memories/store.ts'
import { restoreMemoryText } from '../memories/update-memory.ts'
import {
  findFormerText as findMemoryText,
  listReplacedInRun as listReplacedMemories,
  type FormerText as MemoryText,
} from '../memories/version-store.ts'
import type { Note } from '../notes/note.ts'
import { findNotes } from '../notes/store.ts'
import { hasTooManyNamers, personChanging, restoreNoteText, type NoteUpdateContext } from '../notes/update-note.ts'
import { findVersion, listReplacedInRun as listReplacedNotes, type NoteVersion } from '../notes/version-store.ts'
import { writerOf, type WriterContext } from '../operation/claimed-agent.ts'
import { lastWriter, runTagOf, trustOfActor, type Writer } from '../operation/writer.ts'
import { documentTypes } from '../vaults/settings.ts'
import { isGone } from './archive-or-trash.ts'
import { isByRun, judgeUpdated, noteWriter, type Left, type LeaveReason, type RunId } from './judge-changes.ts'

/**
 * Texts of others that a run changed: memories with tasks, notes and documents. Undoing the run brings the latest text back that is not
 * its own, so that what someone corrected between two changes of the run is never lost. This also holds for a record that the run
 * created and someone else has rewritten.
 */

export interface RunUpdate {
  type: 'memory' | 'note' | 'document'
  id: string
  /** What it returns to; undefined if that isn't kept. */
  former: Returning | undefined
  /** Undefined if that text can come back. */
  left: LeaveReason | undefined
  by?: string | undefined
}

/** The latest text that the run did not write. */
interface Returning {
  /** 0: the document had no text. */
  version: number
  writer: Writer
  content: string
}

/** Texts that a run replaced. */
type Replaced = { id: string; version: number }[]

const openedAtOnce = 50

/** In no particular order. */
export async function findRunUpdates(db: Reader, vault: VaultScope, run: RunId): Promise<RunUpdate[]> {
  const tag = runTagOf(vault, run)
  if (tag === null) return []
  return [
    ...(await findMemoryUpdates(db, vault, run, await listReplacedMemories(db, vault, tag))),
    ...(await findNoteUpdates(db, vault, run, await listReplacedNotes(db, vault, tag))),
    ...(await findDocumentUpdates(db, vault, run, await listReplacedDocuments(db, vault, tag))),
  ]
}

/** The latest of these versions that is not the run's own. */
async function findForeign<Text>(
  versions: Replaced,
  find: (version: number) => Promise<Text | undefined>,
  isOwn: (text: Text) => boolean,
): Promise<Text | undefined> {
  for (const { version } of versions.toSorted((a, b) => b.version - a.version)) {
    const text = await find(version)
    if (text !== undefined && !isOwn(text)) return text
  }
  return undefined
}

async function findMemoryUpdates(db: Reader, vault: VaultScope, run: RunId, replaced: Replaced): Promise<RunUpdate[]> {
  const found: RunUpdate[] = []
  for (const [ids, versions] of inBatches(replaced))
    for (const memory of await findMemories(db, vault, ids)) {
      const { memoryId: id } = memory
      const former = await findForeignMemory(db, vault, run, { memory, versions: versions.get(id) ?? [] })
      if (former === undefined && isByRun(authorOf(memory), run)) continue
      const returning = former && { version: former.version, writer: writerIn(memory, former) }
      const left = leaves(judgeMemory(memory, former, run))
      found.push({ type: 'memory', id, former: returning && { ...returning, content: former.shape.content }, ...left })
    }
  return found
}

const writerIn = (memory: Memory, { changedBy }: MemoryText): Writer => changedBy ?? authorOf(memory)

const findForeignMemory = (
  db: Reader,
  vault: VaultScope,
  run: RunId,
  { memory, versions }: { memory: Memory; versions: Replaced },
): Promise<MemoryText | undefined> =>
  findForeign(
    versions,
    (version) => findMemoryText(db, vault, memory.memoryId, version),
    (text) => isByRun(writerIn(memory, text), run),
  )

const judgeMemory = (memory: Memory, former: MemoryText | undefined, run: RunId): Left | undefined =>
  judgeUpdated(
    {
      isGone: isGone(memory),
      last: lastWriterOf(memory),
      former: former && { isCurrent: JSON.stringify(former.shape) === JSON.stringify(shapeOf(memory)) },
    },
    run,
  )

async function findNoteUpdates(db: Reader, vault: VaultScope, run: RunId, replaced: Replaced): Promise<RunUpdate[]> {
  const found: RunUpdate[] = []
  for (const [ids, versions] of inBatches(replaced))
    for (const note of await findNotes(db, vault, ids)) {
      const { noteId: id } = note
      const former = await findForeignNote(db, vault, run, { id, versions: versions.get(id) ?? [] })
      if (former === undefined && isByRun(note.head, run)) continue
      found.push({ type: 'note', id, former, ...leaves(await judgeNote(db, vault, run, { note, former })) })
    }
  return found
}

const findForeignNote = (
  db: Reader,
  vault: VaultScope,
  run: RunId,
  { id, versions }: { id: string; versions: Replaced },
): Promise<NoteVersion | undefined> =>
  findForeign(
    versions,
    (version) => findVersion(db, vault, id, version),
    ({ writer }) => isByRun(writer, run),
  )

async function judgeNote(
  db: Reader,
  vault: VaultScope,
  run: RunId,
  { note, former }: { note: Note; former: NoteVersion | undefined },
): Promise<Left | undefined> {
  const text = [note.head.title, note.content, note.head.tags]
  const left = judgeUpdated(
    {
      isGone: isGone(note),
      last: noteWriter(note),
      former: former && {
        isCurrent: JSON.stringify([former.title, former.content, former.tags]) === JSON.stringify(text),
      },
    },
    run,
  )
  if (left !== undefined || former === undefined) return left
  return (await hasTooManyNamers(db, vault, [note.head.title, former.title])) ? { left: 'linked' } : undefined
}

async function findDocumentUpdates(
  db: Reader,
  vault: VaultScope,
  run: RunId,
  replaced: Replaced,
): Promise<RunUpdate[]> {
  const found: RunUpdate[] = []
  for (const document of await findDocuments(db, vault, documentTypes)) {
    const { id } = document
    const versions = replaced.filter((one) => one.id === id)
    if (versions.length === 0 && !isByRun(document.shapers, run)) continue
    const former = await findForeignDocument(db, vault, run, { document, versions })
    found.push({ type: 'document', id, former, ...leaves(judgeDocument(document, former, run)) })
  }
  return found
}

/** A document that the run wrote first had no text before. Documents are never archived: an empty text means that there is none. */
async function findForeignDocument(
  db: Reader,
  vault: VaultScope,
  run: RunId,
  { document, versions }: { document: StoredDocument; versions: Replaced },
): Promise<Returning | undefined> {
  const { id, shapers, createdAt } = document
  const former = await findForeign(
    versions,
    (version) => findDocumentText(db, vault, id, version),
    ({ writer }) => isByRun(writer, run),
  )
  const noText = { version: 0, content: '', writer: { route: '', at: createdAt } }
  return former ?? (isByRun(shapers, run) ? noText : undefined)
}

const judgeDocument = (document: StoredDocument, former: Returning | undefined, run: RunId): Left | undefined =>
  judgeUpdated(
    {
      isGone: false,
      last: lastWriter(document.shapers, document.createdAt),
      former: former && { isCurrent: former.content === document.content },
    },
    run,
  )

const leaves = (left: Left | undefined): Pick<RunUpdate, 'left' | 'by'> => left ?? { left: undefined }

/** Some ids at a time, with their versions. */
function* inBatches(replaced: Replaced): Generator<[string[], Map<string, Replaced>]> {
  const byId = Map.groupBy(replaced, ({ id }) => id)
  const ids = [...byId.keys()]
  for (let at = 0; at < ids.length; at += openedAtOnce) yield [ids.slice(at, at + openedAtOnce), byId]
}

export type RestoreContext = NoteUpdateContext & WriterContext

/** What one record returns to is looked up again: someone may have changed it since it was listed. */
interface Restoring {
  seq: number
  run: RunId
  tag: Uint8Array
}

/** Gives a record its text back, unless someone else has changed it since it was listed. */
export async function restoreUpdate(
  tx: Tx,
  ctx: RestoreContext,
  { seq, run }: { seq: number; run: RunId },
  { type, id }: RunUpdate,
): Promise<Left | undefined> {
  const tag = runTagOf(ctx.vault, run)
  if (tag === null) return { left: 'lost' }
  const restoring = { seq, run, tag }
  if (type === 'memory') return restoreMemory(tx, ctx, restoring, id)
  if (type === 'note') return restoreNote(tx, ctx, restoring, id)
  return restoreDocument(tx, ctx, restoring, id)
}

async function restoreMemory(
  tx: Tx,
  ctx: RestoreContext,
  { seq, run, tag }: Restoring,
  id: string,
): Promise<Left | undefined> {
  const [memory] = await findMemories(tx, ctx.vault, [id])
  if (memory === undefined) return { left: 'deleted' }
  const versions = await listReplacedMemories(tx, ctx.vault, tag, id)
  const former = await findForeignMemory(tx, ctx.vault, run, { memory, versions })
  const left = judgeMemory(memory, former, run)
  if (left !== undefined || former === undefined) return left ?? { left: 'lost' }
  await restoreMemoryText(tx, ctx, seq, { memory, former, by: writerOf(ctx) })
  return undefined
}

async function restoreNote(
  tx: Tx,
  ctx: RestoreContext,
  { seq, run, tag }: Restoring,
  id: string,
): Promise<Left | undefined> {
  const [note] = await findNotes(tx, ctx.vault, [id])
  if (note === undefined) return { left: 'deleted' }
  const versions = await listReplacedNotes(tx, ctx.vault, tag, id)
  const former = await findForeignNote(tx, ctx.vault, run, { id, versions })
  const left = await judgeNote(tx, ctx.vault, run, { note, former })
  if (left !== undefined || former === undefined) return left ?? { left: 'lost' }
  await restoreNoteText(tx, ctx, seq, { note, fromVersion: former.version, changer: personChanging(ctx) })
  return undefined
}

async function restoreDocument(
  tx: Tx,
  { vault, ...ctx }: RestoreContext,
  { run, tag }: Restoring,
  id: string,
): Promise<Left | undefined> {
  const document = (await findDocuments(tx, vault, documentTypes)).find((one) => one.id === id)
  if (document === undefined) return { left: 'deleted' }
  const versions = await listReplacedDocuments(tx, vault, tag, id)
  const former = await findForeignDocument(tx, vault, run, { document, versions })
  const left = judgeDocument(document, former, run)
  if (left !== undefined || former === undefined) return left ?? { left: 'lost' }
  const change = { writer: writerOf(ctx), trust: trustOfActor(ctx.actor), expectedVersion: undefined }
  const { documentType } = document
  if (former.version === 0) await storeText(tx, vault, document, { ...change, documentType, text: '' })
  else await restoreText(tx, vault, document, { ...change, fromVersion: former.version })
  return undefined
}
