import { inPieces } from '../core/in-pieces.ts'
import { wordTags } from '../crypto/blind.ts'
import { tagKeys } from '../crypto/keys.ts'
import { embedRecord, type Indexing, type PreparedEntry, keyingEntry } from '../vault-index/index-record.ts'
import { encodeEntry } from '../vault-index/stored/entry.ts'
import type { StoredFacts, VectorFacts } from '../vault-index/stored/store.ts'
import { isIndexedAlike } from './change-memory.ts'
import type { Memory } from './memory.ts'

/** A provider that is down or slow never fails a write: the entry is then made without vectors. */
export async function prepareEntry(ctx: Indexing, memory: Memory, signal?: AbortSignal): Promise<PreparedEntry> {
  const text = indexedText(memory)
  const { vectors, facts } = await embedRecord(ctx.embeddings, text, ctx.log, signal)
  const { head } = memory
  const entry = await inPieces(
    keyingEntry(
      {
        text,
        exactText: memory.content,
        header: {
          ...(head.agentId !== undefined && { speaker: head.agentId }),
          occurredAt: memory.occurredAt,
          entities: head.entities,
          tags: [],
        },
        ...(head.agentRunId !== undefined && { agentRunId: head.agentRunId }),
        ...(vectors !== undefined && { vectors }),
      },
      (words) => wordTags(tagKeys(ctx.vault.keys).words, words),
    ),
  )
  return { bytes: encodeEntry(entry), facts }
}

export interface Reindexing {
  before: Memory
  after: Memory
  /** Left out where search finds the memory as before. */
  entry: PreparedEntry | undefined
}

/** Made before the transaction opens. */
export const prepareChange = async (
  ctx: Indexing,
  { before, after }: Pick<Reindexing, 'before' | 'after'>,
): Promise<PreparedEntry | undefined> => (isIndexedAlike(before, after) ? undefined : prepareEntry(ctx, after))

/**
 * In the transaction, where the memory was found changed since `planned` was made: the entry of the change as it is now.
 * `outdated` where a provider would have to be asked, which no transaction waits for; with `isLast` the entry is made
 * without vectors, and the job that fills them in does the rest.
 */
export async function settleChange(
  ctx: Indexing,
  planned: Reindexing,
  { before, after }: Pick<Reindexing, 'before' | 'after'>,
  isLast: boolean,
): Promise<PreparedEntry | undefined | 'outdated'> {
  if (isIndexedAlike(before, after)) return undefined
  if (planned.entry !== undefined && isIndexedAlike(planned.after, after)) return planned.entry
  if (ctx.embeddings !== undefined && !isLast) return 'outdated'
  return prepareEntry({ ...ctx, embeddings: ctx.embeddings && 'later' }, after)
}

/** The summary is searched with the content: it often says in other words what the text is about. */
export const indexedText = ({ content, head }: Memory): string =>
  head.summary === undefined ? content : `${head.summary}\n\n${content}`

/**
 * What had expired before it was archived counts as expired alone: that tells from when on, so that a search as of an earlier day
 * still finds it.
 */
export const archivedFact = ({ archivedAt = Infinity, expiresAt = Infinity }: Memory): number =>
  archivedAt < expiresAt ? 1 : 0

/** For a memory that nothing supersedes yet. */
export const factsOf = (memory: Memory): Omit<StoredFacts, keyof VectorFacts> => ({
  kind: 'memory',
  type: memory.memoryType,
  importance: memory.importance,
  archived: archivedFact(memory),
  createdAt: memory.createdAt,
  occurredAt: memory.occurredAt,
  expiresAt: memory.expiresAt ?? null,
  supersededAt: null,
})
