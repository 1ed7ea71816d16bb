import { invalid, notFound } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Tx } from '../db/dialect.ts'
import { openProfile } from '../auth/integration-profile.ts'
import { insertLink, type NewLink } from '../links/store.ts'
import type { AgentVaultContext } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import { insertEntry, updateEntry } from '../vault-index/store.ts'
import { factsOf, prepareEntry, type PreparedEntry } from './index-memory.ts'
import type { Memory, MemoryHead, MemoryType, RelatedMemory } from './memory.ts'
import { findByExternalWriteId, getMemory, insertMemory, listExistingIds, updateMemory } from './store.ts'

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
    await refuseUnknownIds(tx, ctx, draft)
    if (draft.supersedesId !== undefined) await supersede(tx, ctx, seq, draft.supersedesId, memory)
    await store(tx, ctx, seq, memory, entry, linksOf(memory.memoryId, draft))
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

async function refuseUnknownIds(
  tx: Tx,
  { vault }: AgentVaultContext,
  { relatedMemoryIds, head }: MemoryDraft,
): Promise<void> {
  const related = relatedMemoryIds.map((relation) => relatedId(relation))
  const existing = await listExistingIds(tx, vault, related)
  if (related.some((id) => !existing.has(id))) throw notFound('Memory')
  // No operation writes notes yet, so that none can be a source.
  if (head.sourceNoteIds.length > 0) throw notFound('Note')
}

export const relatedId = (relation: RelatedMemory): string =>
  typeof relation === 'string' ? relation : relation.memoryId

/** Takes the older memory out of the live set; it stays readable, and searchable as of days before its successor. */
export async function supersede(
  tx: Tx,
  { vault }: AgentVaultContext,
  seq: number,
  supersededId: string,
  successor: Pick<Memory, 'memoryId' | 'occurredAt' | 'updatedAt'>,
): Promise<void> {
  const old = await getMemory(tx, vault, supersededId)
  if (old.supersededById !== undefined)
    throw invalid({ supersededById: `was already superseded by ${old.supersededById}; name that memory instead` })
  const changed: Memory = {
    ...old,
    supersededById: successor.memoryId,
    version: old.version + 1,
    updatedAt: successor.updatedAt,
  }
  await updateMemory(tx, vault, changed, { resealed: false })
  await updateEntry(tx, vault, old.memoryId, seq, { supersededAt: successor.occurredAt })
}

async function store(
  tx: Tx,
  { vault }: AgentVaultContext,
  seq: number,
  memory: Memory,
  entry: PreparedEntry,
  links: NewLink[],
): Promise<void> {
  await insertMemory(tx, vault, memory)
  await insertEntry(tx, vault, memory.memoryId, seq, { ...factsOf(memory), ...entry.facts }, entry.bytes)
  for (const link of links) await insertLink(tx, vault, seq, link, memory.createdAt)
}

function linksOf(memoryId: string, { relatedMemoryIds, supersedesId }: MemoryDraft): NewLink[] {
  const related = relatedMemoryIds.map((relation) => linkTo(memoryId, relation))
  if (supersedesId === undefined) return related
  return [...related, { ...linkTo(memoryId, supersedesId), relationType: 'supersedes' }]
}

export const linkTo = (memoryId: string, relation: RelatedMemory): NewLink => ({
  sourceType: 'memory',
  sourceId: memoryId,
  targetType: 'memory',
  targetId: relatedId(relation),
  relationType: (typeof relation === 'string' ? undefined : relation.relationType) ?? 'references',
  label: typeof relation === 'string' ? undefined : relation.label,
  origin: 'write',
})

/** Who writes: what the body claims, else what the integration is called. */
export function claimedAgentId({ actor, instance }: AgentVaultContext, agentId: string | undefined): string {
  if (agentId !== undefined) return agentId
  const profile = openProfile(instance, actor, actor.profile)
  return profile.agentId ?? profile.label
}
