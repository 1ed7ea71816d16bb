import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { conflict, invalid, notFound } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { writerOf } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import type { NamedWriter, Writer } from '../operation/writer.ts'
import { enforce, type Permit, NeedsDecision } from '../proposals/permit.ts'
import { proposalNotice, proposeInstead } from '../proposals/propose.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { nextSeq } from '../vaults/store.ts'
import { askedMemory } from './authorship.ts'
import {
  changeMemory,
  changesText,
  isUnchanged,
  needsSeal,
  restoreText,
  undoText,
  type MemoryChange,
} from './change-memory.ts'
import { archivedFact, prepareChange, settleChange, type Reindexing } from './index-memory.ts'
import { bodyLimitBytes, memoryTypes, writableFields, type Memory, type RelatedMemory } from './memory.ts'
import {
  enforceLinksOf,
  linkRelated,
  permitOf,
  refuseUnknownIds,
  relatedId,
  relinkSources,
  supersede,
} from './related-memories.ts'
import { getMemory, updateMemory as storeMemory } from './store.ts'
import { insertTask } from './task-store.ts'
import { findFormerText, keepFormerText, restoreTaskTexts, type FormerText } from './version-store.ts'

/** The fields of a stored memory that a caller may change. */
export const changeableFields = {
  content: writableFields.content.optional(),
  summary: writableFields.summary,
  memoryType: z.enum(memoryTypes).optional().describe('Kind of memory.'),
  importance: fields.importance.optional().describe('1 (trivial) to 5 (vital).'),
  confidence: fields.importance.optional().describe('1 (a guess) to 5 (certain).'),
  entities: writableFields.entities,
  relatedMemoryIds: writableFields.relatedMemoryIds,
  sourceNoteIds: writableFields.sourceNoteIds,
  supersededById: writableFields.supersededById,
  expiresAt: fields.timestamp.nullable().optional().describe('When it expires; null: never.'),
  metadata: fields.metadata.optional().describe('Merged into the stored metadata; a key set to null is deleted.'),
  writeReason: writableFields.writeReason,
  occurredAt: writableFields.occurredAt,
}

const input = z.object({
  memoryId: fields.memoryId,
  ...changeableFields,
  archived: z
    .literal(false, 'must be false, which restores the memory; to archive it, use archive-memory')
    .optional()
    .describe('false restores an archived memory. To archive one, use archive-memory.'),
  fromVersion: fields.fromVersion,
  expectedVersion: fields.expectedVersion,
  ...fields.inVault,
})

export const updateMemory = operation({
  name: 'update-memory',
  for: { agent: { toolset: 'memory', scopes: ['write'] }, person: 'PATCH /api/memories' },
  vault: 'resolved',
  summary:
    'Change a memory, restore an archived one, or restore an older version. Omitted fields stay unchanged. What another writer wrote is kept as an older version.',
  effect: 'write',
  changes: ['memories', 'tasks'],
  about: ({ memoryId }) => refs('memory', memoryId),
  alias: 'memoryId',
  bodyLimitBytes,
  input,
  output: z.looseObject({
    memoryId: z.uuid(),
    updated: z.boolean().describe('False if there was nothing to change.'),
    version: z.int(),
    vaultId: z.uuid(),
    memoryType: z.enum(memoryTypes),
    updatedAt: fields.timestamp,
    proposal: proposalNotice,
  }),
  examples: {
    input: { memoryId: '0198c5f0-0000-7000-8000-000000000101', importance: 5, metadata: { reviewed: true } },
    output: {
      memoryId: '0198c5f0-0000-7000-8000-000000000101',
      updated: true,
      version: 2,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      memoryType: 'preference',
      updatedAt: '2026-11-21T09:30:00.000Z',
    },
  },
  async run(change, ctx) {
    if (change.fromVersion !== undefined) refuseOtherFields(change, [...Object.keys(changeableFields), 'archived'])
    const by = writerOf(ctx, change)
    const saved = await saveUpdate(ctx, change, { by, permit: permitOf(ctx) }).catch((error: unknown) =>
      proposeUpdate(ctx, error, change, by),
    )
    const { memory, updated } = saved
    return {
      memoryId: memory.memoryId,
      updated,
      version: memory.version,
      vaultId: memory.vaultId,
      memoryType: memory.memoryType,
      updatedAt: isoTime(memory.updatedAt),
      ...('proposal' in saved && { proposal: saved.proposal }),
    }
  },
})

async function proposeUpdate(
  ctx: Pick<VaultContext, 'db' | 'vault'>,
  error: unknown,
  change: z.output<typeof input>,
  by: NamedWriter,
) {
  // The person would agree to a text that can still change, or to the end of a memory that Review doesn't show.
  if (error instanceof NeedsDecision && change.supersededById !== undefined)
    throw invalid({
      supersededById:
        'the person decides about this, which update-memory cannot propose: write the successor with write-memory and its supersededById',
    })
  const { proposal } = await proposeInstead(ctx, error, { operation: 'update-memory', input: change, by })
  return { memory: await getMemory(ctx.db.read, ctx.vault, change.memoryId), updated: false, proposal }
}

/** A restored text replaces all fields. */
export function refuseOtherFields(change: object, names: readonly string[]): void {
  const sent = new Map<string, unknown>(Object.entries(change))
  const other = names.find((name) => sent.get(name) !== undefined)
  if (other !== undefined) throw invalid({ [other]: 'cannot be combined with fromVersion' })
}

export interface MemoryUpdate extends MemoryChange {
  memoryId: string
  /** Restores this former text. */
  fromVersion?: number | undefined
  relatedMemoryIds?: readonly RelatedMemory[] | undefined
  /** 409 unless the memory still has this version. */
  expectedVersion?: number | undefined
}

export interface SavedUpdate {
  memory: Memory
  /** False if there was nothing to change. */
  updated: boolean
}

/** Who changes a memory. */
export interface MemoryChanger {
  by: Writer
  /** Asked about a memory whose text changes, and about one that is superseded. Undefined for people. */
  permit?: Permit<Memory> | undefined
}

const maxAttempts = 3

export type MemoryUpdateContext = Pick<VaultContext, 'db' | 'vault' | 'embeddings' | 'log' | 'now'>

/** Changes a memory with its index entry and links; 404 if it doesn't exist. New text is embedded before the transaction. */
export async function saveUpdate(
  ctx: MemoryUpdateContext,
  change: MemoryUpdate,
  changer: MemoryChanger,
): Promise<SavedUpdate> {
  for (let attempt = 1; ; attempt++) {
    const saved = await tryUpdate(ctx, change, changer, attempt === maxAttempts)
    if (saved !== undefined) return saved
  }
}

/** Undefined if the memory changed in the meantime so that its text has to be embedded again, and this isn't the last attempt. */
async function tryUpdate(
  ctx: MemoryUpdateContext,
  change: MemoryUpdate,
  { by, permit }: MemoryChanger,
  isLast: boolean,
): Promise<SavedUpdate | undefined> {
  const { db, vault } = ctx
  const before = await getMemory(db.read, vault, change.memoryId)
  const former = await findFormer(db.read, vault, change)
  const planFrom = (memory: Memory) => planUpdate(memory, { change, former }, by)
  const plan = planFrom(before)
  if (plan === undefined) return { memory: before, updated: false }
  const planned = { ...plan, entry: await prepareChange(ctx, plan) }
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    const current = await getMemory(tx, vault, change.memoryId)
    const isStale = current.version !== before.version
    const update = isStale ? planFrom(current) : plan
    if (update === undefined) return { memory: current, updated: false }
    const entry = isStale ? await settleChange(ctx, planned, update, isLast) : planned.entry
    if (entry === 'outdated') return undefined
    const links = changedLinks(current, change)
    if (links !== undefined) enforceLinksOf(await permit?.(tx, current), links)
    if (former !== undefined || changesText(current, update.after, change, by))
      enforce(await permit?.(tx, current), () => askedMemory(current))
    await addLinks(tx, vault, seq, { memory: update.after, change, by, permit })
    if (change.sourceNoteIds !== undefined) await relinkSources(tx, vault, seq, update)
    await storeChange(tx, vault, seq, { ...update, entry, restoredBy: former && by })
    if (former !== undefined) await restoreTaskTexts(tx, vault, change.memoryId, former)
    return { memory: update.after, updated: true }
  })
}

/** The field that changes which links start from the memory. */
function changedLinks(
  { head }: Memory,
  { relatedMemoryIds = [], sourceNoteIds = head.sourceNoteIds }: MemoryUpdate,
): 'relatedMemoryIds' | 'sourceNoteIds' | undefined {
  if (relatedMemoryIds.length > 0) return 'relatedMemoryIds'
  return JSON.stringify(sourceNoteIds) === JSON.stringify(head.sourceNoteIds) ? undefined : 'sourceNoteIds'
}

/** Undoes a run's change in a transaction that waits for no embedding: a job makes the vectors later. */
export async function undoMemoryText(
  tx: Tx,
  ctx: Pick<MemoryUpdateContext, 'vault' | 'embeddings' | 'log'>,
  seq: number,
  { memory: before, former, by }: { memory: Memory; former: FormerText; by: Writer },
): Promise<void> {
  const after = undoText(before, former, by)
  const later = { ...ctx, embeddings: ctx.embeddings && ('later' as const) }
  const entry = await prepareChange(later, { before, after })
  await storeChange(tx, ctx.vault, seq, { before, after, entry, restoredBy: by })
  await restoreTaskTexts(tx, ctx.vault, before.memoryId, former)
}

/** The text to restore; 404 if it isn't kept. */
async function findFormer(
  db: Reader,
  vault: VaultScope,
  { memoryId, fromVersion: version }: MemoryUpdate,
): Promise<FormerText | undefined> {
  if (version === undefined) return undefined
  const former = await findFormerText(db, vault, memoryId, version)
  if (former === undefined) throw notFound('Version')
  return former
}

/** Undefined if there is nothing to change. */
function planUpdate(
  before: Memory,
  { change, former }: { change: MemoryUpdate; former: FormerText | undefined },
  by: Writer,
): Omit<Reindexing, 'entry'> | undefined {
  refuseOtherVersion(change, before)
  if (former !== undefined) return { before, after: restoreText(before, former, by) }
  const after = changeMemory(before, change, by)
  if (!fields.fitsMetadata(after.head.metadata)) throw invalid({ metadata: `${fields.metadataLimit}, once merged` })
  if (isUnchanged(before, after) && (change.relatedMemoryIds ?? []).length === 0) return undefined
  return { before, after }
}

export function refuseOtherVersion(
  { expectedVersion }: Pick<MemoryUpdate, 'expectedVersion'>,
  { version }: Memory,
): void {
  if (expectedVersion !== undefined && expectedVersion !== version)
    throw conflict(
      `The memory has version ${version}, not ${expectedVersion}. Read it again, then repeat your change with the new version`,
    )
}

async function addLinks(
  tx: Tx,
  vault: VaultScope,
  seq: number,
  { memory, change, by, permit }: MemoryChanger & { memory: Memory; change: MemoryUpdate },
): Promise<void> {
  const related = change.relatedMemoryIds ?? []
  if (related.some((relation) => relatedId(relation) === memory.memoryId))
    throw invalid({ relatedMemoryIds: 'a memory cannot be linked to itself' })
  await refuseUnknownIds(tx, vault, related, change.sourceNoteIds ?? [])
  await linkRelated(tx, vault, { seq, at: memory.updatedAt }, { memoryId: memory.memoryId, related, permit })
  if (change.supersededById !== undefined)
    await supersede(tx, vault, seq, { supersededId: change.supersededById, successor: memory, by, permit })
}

/** Stores a changed memory with the columns of its index entry; without a new `entry`, searches find it by the same words. */
export async function storeChange(
  tx: Tx,
  vault: VaultScope,
  seq: number,
  { before, after, entry, restoredBy }: Reindexing & { restoredBy?: Writer | undefined },
): Promise<void> {
  await keepFormerText(tx, vault, { before, after, restoredBy })
  await storeMemory(tx, vault, after, { resealed: needsSeal(before, after) })
  if (after.memoryType === 'task' && before.memoryType !== 'task') await insertTask(tx, vault, after.memoryId)
  const facts = {
    type: after.memoryType,
    importance: after.importance,
    archived: archivedFact(after),
    occurredAt: after.occurredAt,
    expiresAt: after.expiresAt ?? null,
  }
  await updateEntry(tx, vault, seq, {
    itemId: after.memoryId,
    facts: { ...facts, ...entry?.facts },
    entry: entry?.bytes,
  })
  // The superseded memory ends when this one begins.
  if (after.supersedesId !== undefined && after.occurredAt !== before.occurredAt)
    await updateEntry(tx, vault, seq, { itemId: after.supersedesId, facts: { supersededAt: after.occurredAt } })
}
