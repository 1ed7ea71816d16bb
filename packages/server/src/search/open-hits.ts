import { inPieces } from '../core/in-pieces.ts'
import { collectDamage } from '../crypto/cell.ts'
import { titleOf, type Memory, type MemoryType } from '../memories/memory.ts'
import { findIntactMemories } from '../memories/store.ts'
import type { Note } from '../notes/note.ts'
import type { VaultContext } from '../operation/context.ts'
import { clipText } from '../text/clip-summary.ts'
import { chunking } from '../text/split-text.ts'
import { openNotes } from './find-notes.ts'
import type { SearchHit } from './search-index.ts'

/** Hits as texts for a model to read: memories and notes, shortened to the parts that fit the question. */

export interface OpenedHit {
  id: string
  type: 'memory' | 'note'
  /** Null for notes. */
  memoryType: MemoryType | null
  title: string
  /** When a memory's subject took place; when a note was last changed. */
  at: number
  text: string
}

const maxTextChars = 2_000
const openedAtOnce = 5

/** In the order of the hits, without damaged ones and those deleted since the index was read. Rejects with the reason of `signal`. */
export async function openHits(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'instance'>,
  hits: readonly SearchHit[],
  signal?: AbortSignal,
): Promise<{ opened: OpenedHit[]; damagedIds: ReadonlySet<string> }> {
  const opened: OpenedHit[] = []
  const damagedIds = new Set<string>()
  // A few at a time, because fifty long notes have 50 MB.
  for (let at = 0; at < hits.length; at += openedAtOnce) {
    signal?.throwIfAborted()
    const some = await openSome(ctx, hits.slice(at, at + openedAtOnce))
    opened.push(...some.opened)
    for (const id of some.damagedIds) damagedIds.add(id)
  }
  return { opened, damagedIds }
}

async function openSome(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'instance'>,
  hits: readonly SearchHit[],
): Promise<{ opened: OpenedHit[]; damagedIds: ReadonlySet<string> }> {
  const { db, vault, instance } = ctx
  const ids = hits.map(({ itemId }) => itemId)
  const damage = collectDamage(instance.onDamage)
  const memories = await findIntactMemories(db.read, vault, ids, damage.onDamage)
  const memoryById = new Map(memories.map((memory) => [memory.memoryId, memory]))
  const notes = await openNotes(
    ctx,
    hits.filter(({ itemId }) => !memoryById.has(itemId)),
  )
  const noteById = new Map(notes.opened.map(({ note }) => [note.noteId, note]))
  const opened: OpenedHit[] = []
  for (const hit of hits) {
    const [memory, note] = [memoryById.get(hit.itemId), noteById.get(hit.itemId)]
    if (memory !== undefined) opened.push(await fromMemory(memory, hit))
    else if (note !== undefined) opened.push(await fromNote(note, hit))
  }
  return { opened, damagedIds: new Set([...damage.ids, ...notes.damagedIds]) }
}

const fromMemory = async (memory: Memory, { chunk }: SearchHit): Promise<OpenedHit> => ({
  id: memory.memoryId,
  type: 'memory',
  memoryType: memory.memoryType,
  title: titleOf(memory),
  at: memory.occurredAt,
  text: await partOf(memory.content, chunk),
})

const fromNote = async (note: Note, { chunk }: SearchHit): Promise<OpenedHit> => ({
  id: note.noteId,
  type: 'note',
  memoryType: null,
  title: note.head.title,
  at: note.updatedAt,
  text: await partOf(note.content, chunk),
})

/** A long text is represented by its best chunk and the ones next to it, or else by its beginning. */
async function partOf(text: string, chunk: number | null): Promise<string> {
  if (text.length <= maxTextChars) return text
  const near = chunk === null ? [] : (await inPieces(chunking(text, chunk + 2))).slice(Math.max(0, chunk - 1))
  return copyOf(clipText(near.length === 0 ? text : near.join('\n'), maxTextChars))
}

/** Without this, V8 keeps the whole text for as long as its part. */
const copyOf = (part: string): string => Buffer.from(part, 'utf16le').toString('utf16le')
