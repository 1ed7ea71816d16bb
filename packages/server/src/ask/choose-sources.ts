import { collectDamage } from '../crypto/cell.ts'
import { titleOf, type Memory, type MemoryType } from '../memories/memory.ts'
import { findIntactMemories } from '../memories/store.ts'
import type { Note } from '../notes/note.ts'
import type { VaultContext } from '../operation/context.ts'
import { openNotes } from '../search/find-notes.ts'
import type { SearchHit } from '../search/search-index.ts'
import { degradedBy, searchVault, type SearchContext, type VaultAnswer } from '../search/search-vault.ts'
import { clipText } from '../text/clip-summary.ts'
import { chunkText } from '../text/split-text.ts'

/** The records that a question is answered from: what a search finds, shortened to the parts that fit the question. */
export interface Source {
  /** From 1; the answer cites it by this. */
  number: number
  id: string
  type: 'memory' | 'note'
  /** Null for notes. */
  memoryType: MemoryType | null
  title: string
  /** When a memory's subject took place; when a note was last changed. */
  at: number
  text: string
}

const maxSources = 10
const maxTextChars = 2_000
const maxCharsInAll = 12_000
/** The part of the question's words that the best records must contain, unless one is similar in meaning. With less, none answers it. */
const minCoverage = 0.3

export interface Sources {
  /** Empty if only weak matches were found. */
  sources: Source[]
  degraded: VaultAnswer['degraded']
}

/** Doesn't count as a recall. */
export async function chooseSources(
  ctx: SearchContext & Pick<VaultContext, 'instance'>,
  query: string,
): Promise<Sources> {
  const kinds = ['memory', 'note'] as const
  const { hits, explanation, degraded } = await searchVault(ctx, {
    query,
    kinds,
    topK: maxSources,
    explain: { ids: [] },
  })
  const isCovered = (explanation?.question.coverage ?? 0) >= minCoverage
  // The search has dropped what is neither similar nor stands out.
  const isSimilar = hits.some(({ similarity }) => similarity !== null)
  if (!isCovered && !isSimilar) return { sources: [], degraded }
  const { records, damagedIds } = await openHits(ctx, hits)
  return {
    sources: withinLimit(records).map((source, at) => ({ number: at + 1, ...source })),
    degraded: [...degraded, ...degradedBy(damagedIds)],
  }
}

type Unnumbered = Omit<Source, 'number'>

/** In the order of the hits, without damaged ones and those deleted since the index was read. */
async function openHits(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'instance'>,
  hits: readonly SearchHit[],
): Promise<{ records: Unnumbered[]; damagedIds: ReadonlySet<string> }> {
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
  const records = hits.flatMap((hit) => {
    const [memory, note] = [memoryById.get(hit.itemId), noteById.get(hit.itemId)]
    if (memory !== undefined) return [fromMemory(memory, hit)]
    return note === undefined ? [] : [fromNote(note, hit)]
  })
  return { records, damagedIds: new Set([...damage.ids, ...notes.damagedIds]) }
}

const fromMemory = (memory: Memory, { chunk }: SearchHit): Unnumbered => ({
  id: memory.memoryId,
  type: 'memory',
  memoryType: memory.memoryType,
  title: titleOf(memory),
  at: memory.occurredAt,
  text: partOf(memory.content, chunk),
})

const fromNote = (note: Note, { chunk }: SearchHit): Unnumbered => ({
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

/** The best first, as many as fit. */
function withinLimit(records: readonly Unnumbered[]): Unnumbered[] {
  let chars = 0
  return records.filter(({ text, title }) => (chars += text.length + title.length) <= maxCharsInAll)
}
