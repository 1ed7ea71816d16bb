import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import {
  findDocuments,
  findFormerText as findDocumentText,
  listReplacedInRun as listReplacedDocuments,
  listVersionWriters as listDocumentVersions,
  type StoredDocument,
} from '../documents/store.ts'
import { creatorOf } from '../documents/shape-text.ts'
import { restoreText, storeText } from '../documents/update-document.ts'
import { authorOf, isShapedAlike, lastWriterOf } from '../memories/authorship.ts'
import { unarchive } from '../memories/archive-memory.ts'
import { shapeAfterUndo } from '../memories/change-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { undoSupersede } from '../memories/related-memories.ts'
import { findMemories, getMemory } from '../memories/store.ts'
import { undoMemoryText } from '../memories/update-memory.ts'
import {
  findFormerText as findMemoryText,
  listReplacedInRun as listReplacedMemories,
  listVersionWriters as listMemoryVersions,
  type FormerText as MemoryText,
} from '../memories/version-store.ts'
import type { Note } from '../notes/note.ts'
import { restoreTrashed } from '../notes/restore-note.ts'
import { findNotes } from '../notes/store.ts'
import { hasTooManyNamers, personChanging, restoreNoteText, type NoteUpdateContext } from '../notes/update-note.ts'
import {
  findVersion,
  listReplacedInRun as listReplacedNotes,
  listVersionWriters as listNoteVersions,
  type NoteVersion,
} from '../notes/version-store.ts'
import { writerOf, type WriterContext } from '../operation/claimed-agent.ts'
import { keptVersions, lastWriter, runTagOf, trustOfActor, type KeptVersion, type Writer } from '../operation/writer.ts'
import { documentTypes } from '../vaults/settings.ts'
import {
  hiddenIn,
  isByIntegration,
  isByRun,
  isHiddenSince,
  judgeUpdated,
  noteWriter,
  type Left,
  type LeaveReason,
  type UndoneRun,
} from './judge-changes.ts'

/**
 * Texts of others that a run changed: memories with tasks, notes and documents. Undoing the run brings the text from before it back, or
 * the latest one that someone else wrote since, so that what they corrected is never lost. No later text of the run's integration comes
 * back. This also holds for a record that the run created and someone else has rewritten.
 */

export interface RunUpdate {
  type: 'memory' | 'note' | 'document'
  id: string
  /** What it returns to; undefined if that isn't kept. */
  former: Returning | undefined
  /** Undefined if that text can come back. */
  left: LeaveReason | undefined
  by?: Writer | undefined
}

/** The text that a record returns to. */
interface Returning {
  /** 0: the document had no text. */
  version: number
  writer: Writer
  content: string
}

/** Texts that a run replaced. */
type Replaced = { id: string; version: number }[]

const openedAtOnce = 50

/** Ids of records that a run created and that have changed since. */
export interface TouchedIds {
  memories: readonly string[]
  notes: readonly string[]
}

/** In no particular order. */
export async function findRunUpdates(
  db: Reader,
  vault: VaultScope,
  run: UndoneRun,
  { memories, notes }: TouchedIds,
): Promise<RunUpdate[]> {
  const tag = runTagOf(vault, run)
  if (tag === null) return []
  const replaced = {
    memories: await listReplacedMemories(db, vault, tag),
    notes: await listReplacedNotes(db, vault, tag),
    documents: await listReplacedDocuments(db, vault, tag),
  }
  return [
    ...(await findMemoryUpdates(db, vault, run, idsOf(replaced.memories, memories))),
    ...(await findNoteUpdates(db, vault, run, idsOf(replaced.notes, notes))),
    ...(await findDocumentUpdates(db, vault, run, new Set(idsOf(replaced.documents)))),
  ]
}

const idsOf = (replaced: Replaced, more: readonly string[] = []): string[] => [
  ...new Set([...replaced.map(({ id }) => id), ...more]),
]

/** The former texts of one kind of record. */
interface FormerTexts<Text> {
  /** Newest first. */
  listKept: (db: Reader, vault: VaultScope, id: string) => Promise<KeptVersion[]>
  find: (db: Reader, vault: VaultScope, id: string, version: number) => Promise<Text | undefined>
  writerOf: (text: Text) => Writer
}

/** The latest text by others since the run's first change, or else the text before that change. A record that the run created had none. */
async function findReturning<Text>(
  db: Reader,
  vault: VaultScope,
  run: UndoneRun,
  { id, isCreated, texts }: { id: string; isCreated: boolean; texts: FormerTexts<Text> },
): Promise<Text | undefined> {
  const tag = runTagOf(vault, run)
  if (tag === null || run.integrationId === undefined) return undefined
  const kept = await texts.listKept(db, vault, id)
  const replaced = isCreated ? [] : kept.filter((one) => isReplacedIn(one, tag)).map(({ version }) => version)
  const earliest = replaced.at(-1)
  const since = isCreated ? 0 : (earliest ?? Infinity)
  const latest = kept.find(({ integrationId, version }) => integrationId !== run.integrationId && version > since)
  if (latest !== undefined) return texts.find(db, vault, id, latest.version)
  const first = earliest === undefined ? undefined : await texts.find(db, vault, id, earliest)
  return first !== undefined && isFromBefore(texts.writerOf(first), run, kept) ? first : undefined
}

const isReplacedIn = ({ replacedInRun }: KeptVersion, tag: Uint8Array): boolean =>
  replacedInRun !== null && Buffer.compare(replacedInRun, tag) === 0

/** Whether a text that the run replaced is the one before its first change, which might not be kept any more if there were many changes. */
const isFromBefore = (writer: Writer, run: UndoneRun, kept: readonly KeptVersion[]): boolean =>
  !isByIntegration(writer, run) || writer.at < run.startedAt || (kept.length < keptVersions && !isByRun(writer, run))

async function findMemoryUpdates(
  db: Reader,
  vault: VaultScope,
  run: UndoneRun,
  ids: readonly string[],
): Promise<RunUpdate[]> {
  const found: RunUpdate[] = []
  for (const some of inBatches(ids))
    for (const memory of await findMemories(db, vault, some)) {
      const { memoryId: id } = memory
      const former = await findForeignMemory(db, vault, run, memory)
      if (former === undefined && isByRun(authorOf(memory), run)) continue
      const returning = former && { version: former.version, writer: writerIn(memory, former) }
      const left = leaves(judgeMemory(memory, former, run))
      found.push({ type: 'memory', id, former: returning && { ...returning, content: former.shape.content }, ...left })
    }
  return found
}

const writerIn = (memory: Memory, { changedBy }: MemoryText): Writer => changedBy ?? authorOf(memory)

async function findForeignMemory(
  db: Reader,
  vault: VaultScope,
  run: UndoneRun,
  memory: Memory,
): Promise<MemoryText | undefined> {
  return findReturning(db, vault, run, {
    id: memory.memoryId,
    isCreated: isByRun(authorOf(memory), run),
    texts: {
      listKept: listMemoryVersions,
      find: findMemoryText,
      writerOf: (text) => writerIn(memory, text),
    },
  })
}

const judgeMemory = (memory: Memory, former: MemoryText | undefined, run: UndoneRun): Left | undefined =>
  judgeUpdated(
    {
      comesBack: isHiddenSince(hiddenIn(memory), run),
      last: lastWriterOf(memory),
      former: former && {
        isCurrent: isShapedAlike(memory, shapeAfterUndo(memory, former)),
        writer: writerIn(memory, former),
      },
    },
    run,
  )

async function findNoteUpdates(
  db: Reader,
  vault: VaultScope,
  run: UndoneRun,
  ids: readonly string[],
): Promise<RunUpdate[]> {
  const found: RunUpdate[] = []
  for (const some of inBatches(ids))
    for (const note of await findNotes(db, vault, some)) {
      const former = await findForeignNote(db, vault, run, note)
      if (former === undefined && isByRun(note.head, run)) continue
      const left = leaves(await judgeNote(db, vault, run, { note, former }))
      found.push({ type: 'note', id: note.noteId, former, ...left })
    }
  return found
}

async function findForeignNote(
  db: Reader,
  vault: VaultScope,
  run: UndoneRun,
  { noteId: id, head }: Note,
): Promise<NoteVersion | undefined> {
  return findReturning(db, vault, run, {
    id,
    isCreated: isByRun(head, run),
    texts: {
      listKept: listNoteVersions,
      find: findVersion,
      writerOf: ({ writer }) => writer,
    },
  })
}

async function judgeNote(
  db: Reader,
  vault: VaultScope,
  run: UndoneRun,
  { note, former }: { note: Note; former: NoteVersion | undefined },
): Promise<Left | undefined> {
  const text = [note.head.title, note.content, note.head.tags]
  const isCurrent =
    former !== undefined && JSON.stringify([former.title, former.content, former.tags]) === JSON.stringify(text)
  const left = judgeUpdated(
    {
      comesBack: isHiddenSince(note, run),
      last: noteWriter(note),
      former: former && { isCurrent, writer: former.writer },
    },
    run,
  )
  if (left !== undefined || former === undefined) return left
  return (await hasTooManyNamers(db, vault, [note.head.title, former.title])) ? { left: 'linked' } : undefined
}

async function findDocumentUpdates(
  db: Reader,
  vault: VaultScope,
  run: UndoneRun,
  replacedIds: ReadonlySet<string>,
): Promise<RunUpdate[]> {
  const found: RunUpdate[] = []
  for (const document of await findDocuments(db, vault, documentTypes)) {
    if (!replacedIds.has(document.id) && !isCreatedIn(document, run)) continue
    const former = await findForeignDocument(db, vault, run, document)
    found.push({ type: 'document', id: document.id, former, ...leaves(judgeDocument(document, former, run)) })
  }
  return found
}

/** A document that the run wrote first had no text before. Documents are never archived: an empty text means that there is none. */
async function findForeignDocument(
  db: Reader,
  vault: VaultScope,
  run: UndoneRun,
  document: StoredDocument,
): Promise<Returning | undefined> {
  const { id, createdAt } = document
  const former = await findReturning(db, vault, run, {
    id,
    isCreated: isCreatedIn(document, run),
    texts: {
      listKept: listDocumentVersions,
      find: findDocumentText,
      writerOf: ({ writer }) => writer,
    },
  })
  const noText = { version: 0, content: '', writer: { route: '', at: createdAt } }
  return former ?? (isCreatedIn(document, run) ? noText : undefined)
}

/** Whoever replaces all of a document is the author of its text, but hasn't created it. */
const isCreatedIn = ({ shapers }: StoredDocument, run: UndoneRun): boolean => isByRun(creatorOf(shapers), run)

const judgeDocument = (document: StoredDocument, former: Returning | undefined, run: UndoneRun): Left | undefined =>
  judgeUpdated(
    {
      comesBack: false,
      last: lastWriter(document.shapers, document.createdAt),
      former: former && { isCurrent: former.content === document.content, writer: former.writer },
    },
    run,
  )

const leaves = (left: Left | undefined): Pick<RunUpdate, 'left' | 'by'> => left ?? { left: undefined }

function* inBatches(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += openedAtOnce) yield ids.slice(at, at + openedAtOnce)
}

export type RestoreContext = NoteUpdateContext & WriterContext

/**
 * Gives a record its text back. What it returns to is looked up again: someone else may have changed it since it was listed, and then
 * it stays.
 */
export async function restoreUpdate(
  tx: Tx,
  ctx: RestoreContext,
  restoring: Restoring,
  { type, id }: RunUpdate,
): Promise<Left | undefined> {
  if (type === 'memory') return restoreMemory(tx, ctx, restoring, id)
  if (type === 'note') return restoreNote(tx, ctx, restoring, id)
  return restoreDocument(tx, ctx, restoring, id)
}

interface Restoring {
  seq: number
  run: UndoneRun
}

/** Restores the text, unless the record is left. */
async function restoreTo<Text>(
  { former, left }: { former: Text | undefined; left: Left | undefined },
  restore: (former: Text) => Promise<unknown>,
): Promise<Left | undefined> {
  if (left !== undefined || former === undefined) return left ?? { left: 'lost' }
  await restore(former)
  return undefined
}

async function restoreMemory(
  tx: Tx,
  ctx: RestoreContext,
  { seq, run }: Restoring,
  id: string,
): Promise<Left | undefined> {
  const [memory] = await findMemories(tx, ctx.vault, [id])
  if (memory === undefined) return { left: 'deleted' }
  const found = await findForeignMemory(tx, ctx.vault, run, memory)
  return restoreTo({ former: found, left: judgeMemory(memory, found, run) }, async (former) => {
    const when = { seq, at: ctx.now() }
    const placed = isHiddenSince(hiddenIn(memory), run) ? await bringBack(tx, ctx.vault, when, memory) : memory
    await undoMemoryText(tx, ctx, seq, { memory: placed, former, by: writerOf(ctx) })
  })
}

/** Undoes that it was superseded, or else that it was archived. */
async function bringBack(
  tx: Tx,
  vault: VaultScope,
  when: { seq: number; at: number },
  memory: Memory,
): Promise<Memory> {
  const { memoryId: supersedesId, supersededById: memoryId } = memory
  if (memoryId === undefined) return unarchive(tx, vault, when, memory)
  await undoSupersede(tx, vault, when, { memoryId, supersedesId })
  return getMemory(tx, vault, supersedesId)
}

async function restoreNote(
  tx: Tx,
  ctx: RestoreContext,
  { seq, run }: Restoring,
  id: string,
): Promise<Left | undefined> {
  const [note] = await findNotes(tx, ctx.vault, [id])
  if (note === undefined) return { left: 'deleted' }
  const found = await findForeignNote(tx, ctx.vault, run, note)
  const left = await judgeNote(tx, ctx.vault, run, { note, former: found })
  return restoreTo({ former: found, left }, async ({ version: fromVersion }) => {
    const when = { seq, at: ctx.now() }
    const placed = isHiddenSince(note, run) ? await restoreTrashed(tx, ctx.vault, when, note) : note
    await restoreNoteText(tx, ctx, seq, { note: placed, fromVersion, changer: personChanging(ctx) })
  })
}

async function restoreDocument(
  tx: Tx,
  { vault, ...ctx }: RestoreContext,
  { run }: Restoring,
  id: string,
): Promise<Left | undefined> {
  const document = (await findDocuments(tx, vault, documentTypes)).find((one) => one.id === id)
  if (document === undefined) return { left: 'deleted' }
  const found = await findForeignDocument(tx, vault, run, document)
  const change = { writer: writerOf(ctx), trust: trustOfActor(ctx.actor), expectedVersion: undefined }
  const { documentType } = document
  return restoreTo({ former: found, left: judgeDocument(document, found, run) }, ({ version: fromVersion }) =>
    fromVersion === 0
      ? storeText(tx, vault, document, { ...change, documentType, text: '' })
      : restoreText(tx, vault, document, { ...change, fromVersion }),
  )
}
