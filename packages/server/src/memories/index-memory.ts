import { inPieces } from '../core/in-pieces.ts'
import { wordTags } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import { embedRecord, type Indexing, type PreparedEntry, keyingEntry } from '../vault-index/index-record.ts'
import { encodeEntry } from '../vault-index/stored/entry.ts'
import type { StoredFacts, VectorFacts } from '../vault-index/stored/store.ts'
import { isIndexedAlike } from './change-memory.ts'
import type { Memory } from './memory.ts'

/** If the provider is down or slow, the entry is made without vectors; the write never fails because of it. */
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
  /** Left out if searches find the memory by the same words. */
  entry: PreparedEntry | undefined
}

/** Runs before the transaction. */
export const prepareChange = async (
  ctx: Indexing,
  { before, after }: Pick<Reindexing, 'before' | 'after'>,
): Promise<PreparedEntry | undefined> => (isIndexedAlike(before, after) ? undefined : prepareEntry(ctx, after))

/**
 * Runs in the transaction if the memory changed since `planned` was made, and returns the entry for the current change.
 * `outdated` if the text has to be embedded, which a transaction doesn't wait for. With `isLast` the entry is made without
 * vectors, and a job adds them later.
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

/** Searches include the summary, which often uses other words than the content. */
export const indexedText = ({ content, head }: Memory): string =>
  head.summary === undefined ? content : `${head.summary}\n\n${content}`

/** A memory that expired before it was archived counts only as expired, so a search as of an earlier day still finds it. */
export const archivedFact = ({ archivedAt = Infinity, expiresAt = Infinity }: Memory): number =>
  archivedAt < expiresAt ? 1 : 0

/** For a memory that is not superseded. */
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
