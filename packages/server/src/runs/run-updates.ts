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
import { hasTooManyNamers, restoreNoteText, type NoteUpdateContext } from '../notes/update-note.ts'
import { findVersion, listReplacedInRun as listReplacedNotes } from '../notes/version-store.ts'
import { writerOf } from '../operation/claimed-agent.ts'
import { lastWriter, runTagOf, trustOfActor } from '../operation/writer.ts'
import { documentTypes } from '../vaults/settings.ts'
import { isGone } from './archive-or-trash.ts'
import { isByRun, judgeUpdated, noteWriter, type Left, type LeaveReason, type RunId } from './judge-changes.ts'

/** Texts that a run changed and did not create: memories with tasks, notes and documents. */

export interface RunUpdate {
  type: 'memory' | 'note' | 'document'
  id: string
  /** The version before the run's first change. 0: the document had no text. */
  fromVersion: number
  /** Undefined if that text can come back. */
  left: LeaveReason | undefined
  by?: string | undefined
}

/** What a run replaced first in a record. */
interface Replaced {
  id: string
  version: number
}

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

async function findMemoryUpdates(
  db: Reader,
  vault: VaultScope,
  run: RunId,
  replaced: readonly Replaced[],
): Promise<RunUpdate[]> {
  const found: RunUpdate[] = []
  for (const [ids, versions] of inBatches(replaced))
    for (const memory of await findMemories(db, vault, ids)) {
      if (isByRun(authorOf(memory), run)) continue
      const { memoryId: id } = memory
      const fromVersion = versions.get(id) ?? 0
      const former = await findMemoryText(db, vault, id, fromVersion)
      found.push({ type: 'memory', id, fromVersion, ...leaves(judgeMemory(memory, former, run)) })
    }
  return found
}

const judgeMemory = (memory: Memory, former: MemoryText | undefined, run: RunId): Left | undefined =>
  judgeUpdated(
    {
      isGone: isGone(memory),
      last: lastWriterOf(memory),
      former: former && {
        writer: former.changedBy ?? authorOf(memory),
        isCurrent: JSON.stringify(former.shape) === JSON.stringify(shapeOf(memory)),
      },
    },
    run,
  )

async function findNoteUpdates(
  db: Reader,
  vault: VaultScope,
  run: RunId,
  replaced: readonly Replaced[],
): Promise<RunUpdate[]> {
  const found: RunUpdate[] = []
  for (const [ids, versions] of inBatches(replaced))
    for (const note of await findNotes(db, vault, ids)) {
      if (isByRun(note.head, run)) continue
      const { noteId: id } = note
      const fromVersion = versions.get(id) ?? 0
      found.push({ type: 'note', id, fromVersion, ...leaves(await judgeNote(db, vault, run, { note, fromVersion })) })
    }
  return found
}

async function judgeNote(
  db: Reader,
  vault: VaultScope,
  run: RunId,
  { note, fromVersion }: { note: Note; fromVersion: number },
): Promise<Left | undefined> {
  const former = await findVersion(db, vault, note.noteId, fromVersion)
  const text = [note.head.title, note.content, note.head.tags]
  const left = judgeUpdated(
    {
      isGone: isGone(note),
      last: noteWriter(note),
      former: former && {
        writer: former.writer,
        isCurrent: JSON.stringify([former.title, former.content, former.tags]) === JSON.stringify(text),
      },
    },
    run,
  )
  if (left !== undefined || former === undefined) return left
  return (await hasTooManyNamers(db, vault, [note.head.title, former.title])) ? { left: 'linked' } : undefined
}

/** A document that the run wrote first had no text before. Documents are never archived: an empty text means that there is none. */
async function findDocumentUpdates(
  db: Reader,
  vault: VaultScope,
  run: RunId,
  replaced: readonly Replaced[],
): Promise<RunUpdate[]> {
  const found: RunUpdate[] = []
  for (const document of await findDocuments(db, vault, documentTypes)) {
    const { id } = document
    const first = replaced.find((one) => one.id === id)?.version
    const isOwn = isByRun(document.shapers, run)
    if (first === undefined && !isOwn) continue
    const former = first === undefined ? undefined : await findDocumentText(db, vault, id, first)
    // Of a document that the run wrote first, it may have replaced only texts of its own.
    const fromVersion = isOwn && (former === undefined || isByRun(former.writer, run)) ? 0 : (first ?? 0)
    const left = await judgeDocument(db, vault, run, { document, fromVersion })
    found.push({ type: 'document', id, fromVersion, ...leaves(left) })
  }
  return found
}

async function judgeDocument(
  db: Reader,
  vault: VaultScope,
  run: RunId,
  { document, fromVersion }: { document: StoredDocument; fromVersion: number },
): Promise<Left | undefined> {
  const { id, shapers, createdAt } = document
  const noText = { content: '', writer: { route: '', at: createdAt } }
  const former = fromVersion === 0 ? noText : await findDocumentText(db, vault, id, fromVersion)
  return judgeUpdated(
    {
      isGone: false,
      last: lastWriter(shapers, createdAt),
      former: former && { writer: former.writer, isCurrent: former.content === document.content },
    },
    run,
  )
}

const leaves = (left: Left | undefined): Pick<RunUpdate, 'left' | 'by'> => left ?? { left: undefined }

function* inBatches(replaced: readonly Replaced[]): Generator<[string[], Map<string, number>]> {
  for (let at = 0; at < replaced.length; at += openedAtOnce) {
    const batch = replaced.slice(at, at + openedAtOnce)
    yield [batch.map(({ id }) => id), new Map(batch.map(({ id, version }) => [id, version]))]
  }
}

export type RestoreContext = NoteUpdateContext

/** Gives a record its text back, unless someone else has changed it since it was listed. */
export async function restoreUpdate(
  tx: Tx,
  ctx: RestoreContext,
  { seq, run }: { seq: number; run: RunId },
  update: RunUpdate,
): Promise<Left | undefined> {
  if (update.type === 'memory') return restoreMemory(tx, ctx, { seq, run }, update)
  if (update.type === 'note') return restoreNote(tx, ctx, { seq, run }, update)
  return restoreDocument(tx, ctx, run, update)
}

async function restoreMemory(
  tx: Tx,
  ctx: RestoreContext,
  { seq, run }: { seq: number; run: RunId },
  { id, fromVersion }: RunUpdate,
): Promise<Left | undefined> {
  const [memory] = await findMemories(tx, ctx.vault, [id])
  if (memory === undefined) return { left: 'deleted' }
  const former = await findMemoryText(tx, ctx.vault, id, fromVersion)
  const left = judgeMemory(memory, former, run)
  if (left !== undefined || former === undefined) return left ?? { left: 'lost' }
  await restoreMemoryText(tx, ctx, seq, { memory, former, by: writerOf(ctx) })
  return undefined
}

async function restoreNote(
  tx: Tx,
  ctx: RestoreContext,
  { seq, run }: { seq: number; run: RunId },
  { id, fromVersion }: RunUpdate,
): Promise<Left | undefined> {
  const [note] = await findNotes(tx, ctx.vault, [id])
  if (note === undefined) return { left: 'deleted' }
  const left = await judgeNote(tx, ctx.vault, run, { note, fromVersion })
  if (left !== undefined) return left
  await restoreNoteText(tx, ctx, seq, { note, fromVersion })
  return undefined
}

async function restoreDocument(
  tx: Tx,
  { vault, ...ctx }: RestoreContext,
  run: RunId,
  { id, fromVersion }: RunUpdate,
): Promise<Left | undefined> {
  const document = (await findDocuments(tx, vault, documentTypes)).find((one) => one.id === id)
  if (document === undefined) return { left: 'deleted' }
  const left = await judgeDocument(tx, vault, run, { document, fromVersion })
  if (left !== undefined) return left
  const change = { writer: writerOf(ctx), trust: trustOfActor(ctx.actor), expectedVersion: undefined }
  const { documentType } = document
  if (fromVersion === 0) await storeText(tx, vault, document, { ...change, documentType, text: '' })
  else await restoreText(tx, vault, document, { ...change, fromVersion })
  return undefined
}
