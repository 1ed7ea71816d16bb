import type { VaultScope } from '../crypto/keys.ts'
import { overloaded } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { insertLink } from '../links/store.ts'
import type { CallContext, Services, UnlockedVault } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import { insertEntry } from '../vault-index/stored/store.ts'
import { claimWrite, findByExternalWriteId, type ExternalKind, type WrittenRecord } from './claim-store.ts'
import type { DedupThresholds, Verdict } from './dedup.ts'
import {
  chooseDuplicate,
  findDuplicates,
  settleDuplicates,
  type DuplicateSearch,
  type KnownDuplicates,
} from './find-duplicates.ts'
import { factsOf, prepareEntry } from './index-memory.ts'
import type { PreparedEntry } from '../vault-index/index-record.ts'
import type { Memory, MemoryHead, MemoryType, RelatedMemory } from './memory.ts'
import { linkSources, linkTo, refuseUnknownIds, relatedId } from './related-memories.ts'
import { getMemory, insertMemory } from './store.ts'
import { supersede } from './supersede.ts'
import type { TaskState } from './task-state.ts'
import { insertTask } from './task-store.ts'

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
  /** What kind of record its `externalWriteId` is unique among. Default: memory. */
  externalKind?: ExternalKind
  /** For memories of type task; default: one of which nothing has been said yet. */
  task?: TaskState
  /** Looks for a duplicate first. A memory that names what it supersedes is stored whatever there is. */
  dedup?: DedupThresholds | undefined
}

export interface CreatedMemory {
  /** Of the memory that was made, or of the one that answers in its place. */
  memoryId: string
  memoryType: string
  version: number
  wasCreated: boolean
  /** Whether an earlier write with the same `externalWriteId` answers. */
  isRepeat: boolean
  supersededMemoryId: string | undefined
  /** What dedup found: nothing, a memory that was answered with, or one that was superseded. */
  duplicate: Verdict | undefined
}

/** Who writes: the agent of a call, or a job in its place. */
export interface MemoryWriter extends Services {
  vault: Pick<UnlockedVault, 'id' | 'userId' | 'seq' | 'keys'>
  actor: { integrationId: string | undefined }
  concerns?: CallContext['concerns']
}

const maxAttempts = 5

/**
 * Writes a memory, its index entry, its links and what it does to the memory that it supersedes, in one transaction.
 * A repeat of an `externalWriteId` changes nothing and answers with the first record.
 */
export async function createMemory(ctx: MemoryWriter, draft: MemoryDraft): Promise<CreatedMemory> {
  const repeated = await findRepeat(ctx.db.read, ctx.vault, draft)
  if (repeated !== undefined) return asRepeat(repeated)
  const memory = memoryOf(ctx, draft)
  const entry = await prepareEntry(ctx, memory)
  const search = searchFor(ctx, memory, entry, draft)
  let { seq } = ctx.vault
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const known = search && (await findDuplicates(ctx, search, seq))
    const answer = search && known && (await answerAtOnce(ctx, draft, search, known))
    if (answer !== undefined) return answer
    const outcome = await ctx.db.write(async (tx) => {
      const written = await write(tx, ctx.vault, { draft, memory, entry, search, known })
      if (typeof written !== 'number') ctx.concerns?.(draft.externalKind ?? 'memory', written.memoryId)
      return written
    })
    if (typeof outcome !== 'number') return outcome
    seq = outcome
  }
  throw overloaded('others write to the vault all the time', 1)
}

/** Where a memory that says the same is there and there is nothing to add to it, nothing is written and nobody waits. */
async function answerAtOnce(
  { db, vault }: MemoryWriter,
  { head, relatedMemoryIds }: MemoryDraft,
  search: DuplicateSearch,
  known: KnownDuplicates,
): Promise<CreatedMemory | undefined> {
  if (head.externalWriteId !== undefined || relatedMemoryIds.length > 0 || head.sourceNoteIds.length > 0)
    return undefined
  const duplicate = await chooseDuplicate(db.read, vault, search, known.verdicts)
  if (duplicate === undefined || duplicate.action === 'superseded') return undefined
  return asFolded(await getMemory(db.read, vault, duplicate.memoryId), duplicate)
}

interface Writing {
  draft: MemoryDraft
  memory: Memory
  entry: PreparedEntry
  search: DuplicateSearch | undefined
  known: KnownDuplicates | undefined
}

/** A change number where so much was written since duplicates were looked for that they must be looked for again. */
async function write(tx: Tx, vault: VaultScope, writing: Writing): Promise<CreatedMemory | number> {
  const { draft, search, known } = writing
  const seq = await nextSeq(tx, vault.userId, vault.id)
  // The vault's row is locked from here on: of two equal writes at once, the second sees the first.
  const winner = await findRepeat(tx, vault, draft)
  if (winner !== undefined) return asRepeat(winner)
  await refuseUnknownIds(tx, vault, draft.relatedMemoryIds, draft.head.sourceNoteIds)
  const found = search && known && (await settleDuplicates(tx, vault, search, known))
  if (found === 'outdated') return seq
  if (found === undefined || found.action === 'superseded') return insert(tx, vault, seq, writing, found)
  return fold(tx, vault, seq, writing, found)
}

async function insert(
  tx: Tx,
  vault: VaultScope,
  seq: number,
  { draft, memory: drafted, entry }: Writing,
  duplicate: Verdict | undefined,
): Promise<CreatedMemory> {
  const memory = duplicate === undefined ? drafted : { ...drafted, supersedesId: duplicate.memoryId }
  await insertMemory(tx, vault, memory, draft.externalKind)
  await insertEntry(tx, vault, memory.memoryId, seq, { ...factsOf(memory), ...entry.facts }, entry.bytes)
  if (memory.memoryType === 'task') await insertTask(tx, vault, memory.memoryId, draft.task)
  for (const relation of draft.relatedMemoryIds)
    await insertLink(tx, vault, seq, linkTo(memory.memoryId, relation), memory.createdAt)
  await linkSources(tx, vault, seq, memory.memoryId, memory.head.sourceNoteIds, memory.createdAt)
  if (memory.supersedesId !== undefined) await supersede(tx, vault, seq, memory.supersedesId, memory)
  return {
    memoryId: memory.memoryId,
    memoryType: memory.memoryType,
    version: 1,
    wasCreated: true,
    isRepeat: false,
    supersededMemoryId: memory.supersedesId,
    duplicate,
  }
}

/** What the write says beyond the memory that is there already: its links, and the key under which it is repeated. */
async function fold(
  tx: Tx,
  vault: VaultScope,
  seq: number,
  { draft, memory }: Writing,
  duplicate: Verdict,
): Promise<CreatedMemory> {
  const existing = await getMemory(tx, vault, duplicate.memoryId)
  const { memoryId } = existing
  for (const relation of draft.relatedMemoryIds)
    if (relatedId(relation) !== memoryId) await insertLink(tx, vault, seq, linkTo(memoryId, relation), memory.createdAt)
  const { externalWriteId, sourceNoteIds } = draft.head
  await linkSources(tx, vault, seq, memoryId, sourceNoteIds, memory.createdAt)
  if (externalWriteId !== undefined)
    await claimWrite(tx, vault, memoryId, externalWriteId, draft.externalKind ?? 'memory')
  return asFolded(existing, duplicate)
}

const asFolded = ({ memoryId, memoryType, version }: Memory, duplicate: Verdict): CreatedMemory => ({
  memoryId,
  memoryType,
  version,
  wasCreated: false,
  isRepeat: false,
  supersededMemoryId: undefined,
  duplicate,
})

async function findRepeat(
  db: Reader,
  vault: VaultScope,
  { head, externalKind }: MemoryDraft,
): Promise<WrittenRecord | undefined> {
  if (head.externalWriteId === undefined) return undefined
  return findByExternalWriteId(db, vault, head.externalWriteId, externalKind)
}

const asRepeat = (record: WrittenRecord): CreatedMemory => ({
  ...record,
  wasCreated: false,
  isRepeat: true,
  supersededMemoryId: undefined,
  duplicate: undefined,
})

const searchFor = (
  { embeddings }: MemoryWriter,
  memory: Memory,
  entry: PreparedEntry,
  { dedup, task }: MemoryDraft,
): DuplicateSearch | undefined =>
  dedup === undefined || memory.supersedesId !== undefined
    ? undefined
    : { memory, task, entry: entry.bytes, model: embeddings, thresholds: dedup }

function memoryOf({ actor, vault, now }: MemoryWriter, draft: MemoryDraft): Memory {
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
