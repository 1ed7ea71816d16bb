import { inPieces } from '../core/in-pieces.ts'
import { wordTags } from '../crypto/blind.ts'
import { tagKeys } from '../crypto/keys.ts'
import { embedRecord, type Indexing, type PreparedEntry, keyingEntry } from '../vault-index/index-record.ts'
import { encodeEntry } from '../vault-index/stored/entry.ts'
import type { StoredFacts, VectorFacts } from '../vault-index/stored/store.ts'
import type { Note } from './note.ts'

/**
 * A provider that is down or slow never fails a write: the entry is then made without vectors. A note is dated by when it was
 * made: a renamed note would otherwise make all that link to it look new. Who wrote it is no word of it, as notes are
 * written by many.
 */
export async function prepareNoteEntry(ctx: Indexing, note: Note, signal?: AbortSignal): Promise<PreparedEntry> {
  const { vectors, facts } = await embedRecord(ctx.embeddings, embeddedText(note), ctx.log, signal)
  const { title, tags } = note.head
  const entry = await inPieces(
    keyingEntry(
      {
        text: note.content,
        header: { occurredAt: note.createdAt, entities: [], tags, title },
        ...(vectors !== undefined && { vectors }),
      },
      (words) => wordTags(tagKeys(ctx.vault.keys).words, words),
    ),
  )
  return { bytes: encodeEntry(entry), facts }
}

/** What is cut into chunks for vectors: under its title a passage says more, and a note may be nothing but its title. */
export const embeddedText = ({ head, content }: Note): string => `${head.title}\n\n${content}`

export const factsOf = (note: Note): Omit<StoredFacts, keyof VectorFacts> => ({
  kind: 'note',
  type: 'note',
  importance: 3,
  archived: note.trashedAt === undefined ? 0 : 1,
  createdAt: note.createdAt,
  occurredAt: note.createdAt,
  expiresAt: null,
  supersededAt: null,
})
