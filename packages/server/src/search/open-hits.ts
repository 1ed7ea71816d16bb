import { setImmediate } from 'node:timers/promises'
import { collectDamage } from '../crypto/cell.ts'
import { titleOf, type Memory, type MemoryType } from '../memories/memory.ts'
import { findIntactMemories } from '../memories/store.ts'
import type { Note } from '../notes/note.ts'
import type { VaultContext } from '../operation/context.ts'
import { clipText } from '../text/clip-summary.ts'
import { chunkText } from '../text/split-text.ts'
import { longNoteChars, openNotes } from './find-notes.ts'
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

/** In the order of the hits, without damaged ones and those deleted since the index was read. After a long note, other requests run first. */
export async function openHits(
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
    if (memory !== undefined) opened.push(fromMemory(memory, hit))
    if (note === undefined) continue
    opened.push(fromNote(note, hit))
    if (note.content.length > longNoteChars) await setImmediate()
  }
  return { opened, damagedIds: new Set([...damage.ids, ...notes.damagedIds]) }
}

const fromMemory = (memory: Memory, { chunk }: SearchHit): OpenedHit => ({
  id: memory.memoryId,
  type: 'memory',
  memoryType: memory.memoryType,
  title: titleOf(memory),
  at: memory.occurredAt,
  text: partOf(memory.content, chunk),
})

const fromNote = (note: Note, { chunk }: SearchHit): OpenedHit => ({
  id: note.noteId,
  type: 'note',
  memoryType: null,
  title: note.head.title,
  at: note.updatedAt,
  text: partOf(note.content, chunk),
})

/** A long text is represented by its best chunk and the ones next to it, or else by its beginning. */
function partOf(text: string, chunk: number | null): string {
  if (text.length <= maxTextChars) return text
  const near = chunk === null ? [] : chunkText(text).slice(Math.max(0, chunk - 1), chunk + 2)
  return clipText(near.length === 0 ? text : near.join('\n'), maxTextChars)
}
