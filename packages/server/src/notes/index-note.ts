import { wordTags } from '../crypto/blind.ts'
import { tagKeys } from '../crypto/keys.ts'
import type { Services } from '../operation/context.ts'
import { embedRecord } from '../vault-index/embed.ts'
import { encodeEntry } from '../vault-index/entry.ts'
import { keyEntry } from '../vault-index/key-entry.ts'
import type { IndexScope, StoredFacts } from '../vault-index/store.ts'
import type { Note } from './note.ts'

/** What search needs of a note, made before the transaction opens: embedding may take a network call. */
export interface PreparedEntry {
  bytes: Uint8Array
  facts: Pick<StoredFacts, 'vectorsMissing'>
}

type Indexing = Pick<Services, 'embeddings' | 'log'> & { vault: IndexScope }

/**
 * A provider that is down or slow never fails a write: the entry is then made without vectors. A note is dated by when it was
 * made: a renamed note would otherwise make all that link to it look new. Who wrote it is no word of it, as notes are
 * written by many.
 */
export async function prepareNoteEntry(ctx: Indexing, note: Note, signal?: AbortSignal): Promise<PreparedEntry> {
  const { vectors, mayFollow } = await embedRecord(ctx.embeddings, embeddedText(note), ctx.log, signal)
  const { title, tags } = note.head
  const entry = keyEntry(
    {
      text: note.content,
      header: { occurredAt: note.createdAt, entities: [], tags, title },
      ...(vectors !== undefined && { vectors }),
    },
    (words) => wordTags(tagKeys(ctx.vault.keys).words, words),
  )
  return { bytes: encodeEntry(entry), facts: { vectorsMissing: mayFollow ? 1 : 0 } }
}

/** What is cut into chunks for vectors: under its title a passage says more, and a note may be nothing but its title. */
export const embeddedText = ({ head, content }: Note): string => `${head.title}\n\n${content}`

export const factsOf = (note: Note): Omit<StoredFacts, 'vectorsMissing'> => ({
  kind: 'note',
  type: 'note',
  importance: 3,
  archived: note.trashedAt === undefined ? 0 : 1,
  createdAt: note.createdAt,
  occurredAt: note.createdAt,
  expiresAt: null,
  supersededAt: null,
})
