import type { VaultScope } from '../crypto/keys.ts'
import { overloaded } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { claimedAgentId, writerOf, type WriterContext } from '../operation/claimed-agent.ts'
import type { CallContext, Services, UnlockedVault } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'
import { insertEntry } from '../vault-index/stored/store.ts'
import { claimWrite, findByExternalWriteId, type ExternalKind, type WrittenRecord } from './claim-store.ts'
import { authorOf } from './authorship.ts'
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
import type { Memory, MemoryHead, MemoryType, WritableMemory } from './memory.ts'
import { linkSources, linkRelated, refuseUnknownIds, relatedId, supersede } from './related-memories.ts'
import type { Permit } from '../proposals/permit.ts'
import { proposeInstead, type ProposalNotice } from '../proposals/propose.ts'
import { getMemory, insertMemory } from './store.ts'
import type { TaskState } from './task-state.ts'
import { insertTask } from './task-store.ts'

/** A memory to store: what its author says about it, and where it comes from. */
export interface MemoryDraft extends Partial<Omit<WritableMemory, 'content' | 'memoryType'>> {
  content: string
  memoryType: MemoryType
  origin: MemoryOrigin
  externalWriteId?: string | undefined
  /** The kind of record among which its `externalWriteId` is unique. Default: memory. */
  externalKind?: ExternalKind
  /** Where the title ends in a task's content. */
  titleChars?: number
  /** For memories of type task. Default: an open task without details. */
  task?: TaskState
  /** Looks for a duplicate first, unless the memory names the one that it supersedes. */
  dedup?: DedupThresholds | undefined
  /** Asked about the memory that this one supersedes. Undefined for people. */
  permit?: Permit<Memory> | undefined
}

export type MemoryOrigin = Pick<MemoryHead, 'agentId' | 'agentRunId' | 'modelId' | 'route'>

interface Claims {
  agentId?: string | undefined
  agentRunId?: string | undefined
  modelId?: string | undefined
}

/** Who writes, in which run, and by which route. */
export const originOf = (
  ctx: WriterContext,
  { agentId, agentRunId, modelId }: Claims,
  route: string,
): MemoryOrigin => ({
  agentId: claimedAgentId(ctx, agentId),
  agentRunId: agentRunId ?? ctx.request.runId,
  modelId,
  route,
})

export interface CreatedMemory {
  /** The new memory, or the existing one that answers in its place. */
  memoryId: string
  memoryType: string
  version: number
  wasCreated: boolean
  /** Whether an earlier write had the same `externalWriteId`. */
  isRepeat: boolean
  supersededMemoryId: string | undefined
  /** What dedup found: nothing, a memory that is returned instead, or one that was superseded. */
  duplicate: Verdict | undefined
}

/** The caller, or a job that writes on an agent's behalf. */
export interface MemoryWriter extends Pick<Services, 'db' | 'indexes' | 'embeddings' | 'log' | 'now'> {
  vault: Pick<UnlockedVault, 'id' | 'userId' | 'seq' | 'keys'>
  actor: { integrationId: string | undefined }
  about?: CallContext['about']
}

/**
 * Proposes to write a memory, if `error` says that a person decides about the one that it supersedes. Answers with that one, which stays as
 * it is: nothing is written until the person accepts.
 */
export async function proposeSuccessor(
  ctx: WriterContext & Pick<CallContext, 'db'> & Pick<MemoryWriter, 'vault'>,
  error: unknown,
  input: Claims & { externalWriteId?: string | undefined },
): Promise<CreatedMemory & { proposal: ProposalNotice }> {
  const { recordId, proposal } = await proposeInstead(ctx, error, {
    operation: 'write-memory',
    input,
    by: writerOf(ctx, input),
  })
  const { memoryId, memoryType, version } = await getMemory(ctx.db.read, ctx.vault, recordId)
  const unchanged = { wasCreated: false, isRepeat: false, supersededMemoryId: undefined, duplicate: undefined }
  return { memoryId, memoryType, version, ...unchanged, proposal }
}

const maxAttempts = 5

/**
 * Writes a memory with its index entry and links, and marks the memory that it supersedes, in one transaction. A repeated
 * `externalWriteId` changes nothing and answers with the first record.
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
      const isChanged = typeof written !== 'number' && (written.wasCreated || (!written.isRepeat && addsLinks(draft)))
      if (isChanged) ctx.about?.(draft.externalKind ?? 'memory', written.memoryId)
      return written
    })
    if (typeof outcome !== 'number') return outcome
    seq = outcome
  }
  throw overloaded('too many other writes to this vault', 1, 'too_many_writes')
}

/** If a memory says the same and the draft adds no links and no key to it, there is nothing to write. */
async function answerAtOnce(
  { db, vault }: MemoryWriter,
  draft: MemoryDraft,
  search: DuplicateSearch,
  known: KnownDuplicates,
): Promise<CreatedMemory | undefined> {
  if (draft.externalWriteId !== undefined || addsLinks(draft)) return undefined
  const duplicate = await chooseDuplicate(db.read, vault, search, known.verdicts)
  if (duplicate === undefined || duplicate.action === 'superseded') return undefined
  return asFolded(await getMemory(db.read, vault, duplicate.memoryId), duplicate)
}

const addsLinks = ({ relatedMemoryIds = [], sourceNoteIds = [] }: MemoryDraft) =>
  relatedMemoryIds.length > 0 || sourceNoteIds.length > 0

interface Writing {
  draft: MemoryDraft
  memory: Memory
  entry: PreparedEntry
  search: DuplicateSearch | undefined
  known: KnownDuplicates | undefined
}

/** Returns a change number if so much was written in the meantime that the search for duplicates must restart from there. */
async function write(tx: Tx, vault: VaultScope, writing: Writing): Promise<CreatedMemory | number> {
  const { draft, memory, search, known } = writing
  const seq = await nextSeq(tx, vault)
  // The vault's row is locked from here on, so the second of two equal writes sees the first.
  const winner = await findRepeat(tx, vault, draft)
  if (winner !== undefined) return asRepeat(winner)
  await refuseUnknownIds(tx, vault, draft.relatedMemoryIds ?? [], memory.head.sourceNoteIds)
  const found = search && known && (await settleDuplicates(tx, vault, search, known))
  if (found === 'outdated') return seq
  const isChange = found !== undefined && (found.action === 'superseded' || addsLinks(draft))
  const duplicate = isChange && !(await mayChange(tx, vault, draft, found)) ? undefined : found
  return duplicate === undefined || duplicate.action === 'superseded'
    ? insert(tx, vault, seq, { ...writing, duplicate })
    : fold(tx, vault, seq, { ...writing, duplicate })
}

/**
 * A newer text of an agent, or the same text with links, is stored next to an older one that it may not change; Review shows both as
 * duplicates.
 */
async function mayChange(tx: Tx, vault: VaultScope, { permit }: MemoryDraft, { memoryId }: Verdict): Promise<boolean> {
  return permit === undefined || (await permit(tx, await getMemory(tx, vault, memoryId))) === 'yes'
}

async function insert(
  tx: Tx,
  vault: VaultScope,
  seq: number,
  { draft, memory: drafted, entry, duplicate }: Writing & { duplicate: Verdict | undefined },
): Promise<CreatedMemory> {
  const memory = duplicate === undefined ? drafted : { ...drafted, supersedesId: duplicate.memoryId }
  const { memoryId, supersedesId } = memory
  const when = { seq, at: memory.createdAt }
  await insertMemory(tx, vault, memory, draft.externalKind)
  await insertEntry(tx, vault, seq, {
    itemId: memoryId,
    facts: { ...factsOf(memory), ...entry.facts },
    entry: entry.bytes,
  })
  if (memory.memoryType === 'task') await insertTask(tx, vault, memory.memoryId, draft.task)
  const { relatedMemoryIds: related = [], permit } = draft
  await linkRelated(tx, vault, when, { memoryId, related, permit })
  await linkSources(tx, vault, when, { memoryId, noteIds: memory.head.sourceNoteIds })
  if (supersedesId !== undefined)
    await supersede(tx, vault, seq, { supersededId: supersedesId, successor: memory, by: authorOf(memory), permit })
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

/** Adds the draft's links and idempotency key to the memory that says the same. */
async function fold(
  tx: Tx,
  vault: VaultScope,
  seq: number,
  { draft, memory, duplicate }: Writing & { duplicate: Verdict },
): Promise<CreatedMemory> {
  const existing = await getMemory(tx, vault, duplicate.memoryId)
  const { memoryId } = existing
  const when = { seq, at: memory.createdAt }
  const related = (draft.relatedMemoryIds ?? []).filter((relation) => relatedId(relation) !== memoryId)
  await linkRelated(tx, vault, when, { memoryId, related, permit: draft.permit })
  const { externalWriteId, sourceNoteIds } = memory.head
  await linkSources(tx, vault, when, { memoryId, noteIds: sourceNoteIds })
  if (externalWriteId !== undefined)
    await claimWrite(tx, vault, memoryId, { externalWriteId, kind: draft.externalKind ?? 'memory' })
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
  { externalWriteId, externalKind }: MemoryDraft,
): Promise<WrittenRecord | undefined> {
  if (externalWriteId === undefined) return undefined
  return findByExternalWriteId(db, vault, externalWriteId, externalKind)
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
    importance: draft.importance ?? 3,
    confidence: draft.confidence ?? 3,
    supersedesId: draft.supersededById,
    supersededById: undefined,
    archivedAt: undefined,
    expiresAt: draft.expiresAt === undefined ? undefined : Date.parse(draft.expiresAt),
    occurredAt: draft.occurredAt === undefined ? at : Date.parse(draft.occurredAt),
    integrationId: actor.integrationId,
    accessCount: 0,
    lastAccessedAt: undefined,
    contentRevision: 1,
    version: 1,
    createdAt: at,
    updatedAt: at,
    head: {
      ...draft.origin,
      summary: draft.summary,
      entities: draft.entities ?? [],
      sourceNoteIds: draft.sourceNoteIds ?? [],
      externalWriteId: draft.externalWriteId,
      writeReason: draft.writeReason,
      metadata: draft.metadata ?? {},
      titleChars: draft.titleChars,
    },
  }
}
