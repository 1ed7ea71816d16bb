import { newId } from '../core/ids.ts'
import { insertLink } from '../links/store.ts'
import type { AgentVaultContext } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import { insertEntry } from '../vault-index/store.ts'
import { factsOf, prepareEntry } from './index-memory.ts'
import type { Memory, MemoryHead, MemoryType, RelatedMemory } from './memory.ts'
import { linkTo, refuseUnknownIds } from './related-memories.ts'
import { findByExternalWriteId, insertMemory } from './store.ts'
import { supersede } from './supersede.ts'

/** A memory as a caller wants it. */
export interface MemoryDraft {
  content: string
  memoryType: MemoryType
  importance: number
  confidence: number
  head: MemoryHead
  relatedMemoryIds: readonly RelatedMemory[]
  supersedesId: string | undefined
  expiresAt: number | undefined
  occurredAt: number | undefined
}

export interface CreatedMemory {
  memoryId: string
  memoryType: string
  version: number
  wasCreated: boolean
  supersededMemoryId: string | undefined
}

/**
 * Writes a memory, its index entry, its links and what it does to the memory that it supersedes, in one transaction.
 * A repeat of an `externalWriteId` changes nothing and answers with the first record.
 */
export async function createMemory(ctx: AgentVaultContext, draft: MemoryDraft): Promise<CreatedMemory> {
  const { db, vault } = ctx
  const { externalWriteId } = draft.head
  const repeated =
    externalWriteId === undefined ? undefined : await findByExternalWriteId(db.read, vault, externalWriteId)
  if (repeated !== undefined) return asRepeat(repeated)
  const memory = memoryOf(ctx, draft)
  const entry = await prepareEntry(ctx, memory)
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    // The vault's row is locked from here on: of two equal writes at once, the second sees the first.
    const winner = externalWriteId === undefined ? undefined : await findByExternalWriteId(tx, vault, externalWriteId)
    if (winner !== undefined) return asRepeat(winner)
    await refuseUnknownIds(tx, vault, draft.relatedMemoryIds, draft.head.sourceNoteIds)
    await insertMemory(tx, vault, memory)
    await insertEntry(tx, vault, memory.memoryId, seq, { ...factsOf(memory), ...entry.facts }, entry.bytes)
    for (const relation of draft.relatedMemoryIds)
      await insertLink(tx, vault, seq, linkTo(memory.memoryId, relation), memory.createdAt)
    if (draft.supersedesId !== undefined) await supersede(tx, vault, seq, draft.supersedesId, memory)
    return {
      memoryId: memory.memoryId,
      memoryType: memory.memoryType,
      version: 1,
      wasCreated: true,
      supersededMemoryId: draft.supersedesId,
    }
  })
}

const asRepeat = (record: { memoryId: string; memoryType: string; version: number }): CreatedMemory => ({
  ...record,
  wasCreated: false,
  supersededMemoryId: undefined,
})

function memoryOf({ actor, vault, now }: AgentVaultContext, draft: MemoryDraft): Memory {
  const at = now()
  return {
    memoryId: newId(),
    vaultId: vault.id,
    memoryType: draft.memoryType,
    content: draft.content,
    importance: draft.importance,
    confidence: draft.confidence,
    supersedesId: draft.supersedesId,
    supersededById: undefined,
    archivedAt: undefined,
    expiresAt: draft.expiresAt,
    occurredAt: draft.occurredAt ?? at,
    integrationId: actor.integrationId,
    accessCount: 0,
    lastAccessedAt: undefined,
    contentRevision: 1,
    version: 1,
    createdAt: at,
    updatedAt: at,
    head: draft.head,
  }
}
