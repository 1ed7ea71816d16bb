import { conflict, invalid } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { insertLink } from '../links/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { fitsMetadata, metadataLimit } from '../operation/fields.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { nextSeq } from '../vaults/store.ts'
import { changeMemory, isUnchanged, needsSeal, type MemoryChange } from './change-memory.ts'
import { archivedFact, prepareChange, settleChange, type Reindexing } from './index-memory.ts'
import type { Memory, RelatedMemory } from './memory.ts'
import { linkTo, refuseUnknownIds, relatedId, relinkSources } from './related-memories.ts'
import { findMemories, getMemory, updateMemory } from './store.ts'
import { supersede } from './supersede.ts'
import { insertTask } from './task-store.ts'

/** Changes of memories that are there, with their index entries and links. */
export interface MemoryUpdate extends MemoryChange {
  memoryId: string
  relatedMemoryIds?: readonly RelatedMemory[] | undefined
  /** 409 unless the memory still has it. */
  expectedVersion?: number | undefined
}

export interface SavedUpdate {
  memory: Memory
  /** False where nothing was to change. */
  updated: boolean
}

const maxAttempts = 3

/** 404 where it is not there. What is new in its text is embedded before the transaction. */
export async function saveUpdate(ctx: VaultContext, change: MemoryUpdate): Promise<SavedUpdate> {
  for (let attempt = 1; ; attempt++) {
    const saved = await tryUpdate(change, ctx, attempt === maxAttempts)
    if (saved !== undefined) return saved
  }
}

/** What changes no word that search finds a memory by. */
export type Rating = Pick<MemoryChange, 'memoryType' | 'importance' | 'confidence' | 'expiresAt' | 'archived'>

/** The same change of some memories, in one transaction; ids that are none of the vault's are missing. */
export async function rateMemories(
  ctx: VaultContext,
  ids: readonly string[],
  ratingOf: (memory: Memory) => Rating,
): Promise<SavedUpdate[]> {
  const { db, vault, now } = ctx
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const saved: SavedUpdate[] = []
    for (const before of await findMemories(tx, vault, ids)) {
      const after = changeMemory(before, ratingOf(before), now())
      const updated = !isUnchanged(before, after)
      if (updated) await store(tx, vault, seq, { before, after, entry: undefined })
      saved.push({ memory: updated ? after : before, updated })
    }
    return saved
  })
}

/** Undefined where the memory changed meanwhile, so that its new text would have to be embedded, and this is not the last try. */
async function tryUpdate(change: MemoryUpdate, ctx: VaultContext, isLast: boolean): Promise<SavedUpdate | undefined> {
  const { db, vault } = ctx
  const before = await getMemory(db.read, vault, change.memoryId)
  const plan = planUpdate(change, ctx, before)
  if (plan === undefined) return { memory: before, updated: false }
  const planned = { ...plan, entry: await prepareChange(ctx, plan) }
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const current = await getMemory(tx, vault, change.memoryId)
    const isStale = current.version !== before.version
    const update = isStale ? planUpdate(change, ctx, current) : plan
    if (update === undefined) return { memory: current, updated: false }
    const entry = isStale ? await settleChange(ctx, planned, update, isLast) : planned.entry
    if (entry === 'outdated') return undefined
    await addLinks(tx, vault, seq, update.after, change)
    if (change.sourceNoteIds !== undefined) await relinkSources(tx, vault, seq, update.before, update.after)
    await store(tx, vault, seq, { ...update, entry })
    return { memory: update.after, updated: true }
  })
}

/** Undefined where nothing is to change. */
function planUpdate(change: MemoryUpdate, ctx: VaultContext, before: Memory): Omit<Reindexing, 'entry'> | undefined {
  refuseOtherVersion(change, before)
  const after = changeMemory(before, change, ctx.now())
  if (!fitsMetadata(after.head.metadata)) throw invalid({ metadata: `${metadataLimit}, once merged` })
  if (isUnchanged(before, after) && (change.relatedMemoryIds ?? []).length === 0) return undefined
  return { before, after }
}

function refuseOtherVersion({ expectedVersion }: MemoryUpdate, { version }: Memory): void {
  if (expectedVersion !== undefined && expectedVersion !== version)
    throw conflict(`The memory has version ${version}, not ${expectedVersion}; read it again and decide anew`)
}

async function addLinks(tx: Tx, vault: VaultScope, seq: number, memory: Memory, change: MemoryUpdate): Promise<void> {
  const related = change.relatedMemoryIds ?? []
  if (related.some((relation) => relatedId(relation) === memory.memoryId))
    throw invalid({ relatedMemoryIds: 'a memory cannot be linked to itself' })
  await refuseUnknownIds(tx, vault, related, change.sourceNoteIds ?? [])
  for (const relation of related) await insertLink(tx, vault, seq, linkTo(memory.memoryId, relation), memory.updatedAt)
  if (change.supersededById !== undefined) await supersede(tx, vault, seq, change.supersededById, memory)
}

async function store(tx: Tx, vault: VaultScope, seq: number, { before, after, entry }: Reindexing): Promise<void> {
  await updateMemory(tx, vault, after, { resealed: needsSeal(before, after) })
  if (after.memoryType === 'task' && before.memoryType !== 'task') await insertTask(tx, vault, after.memoryId)
  const facts = {
    type: after.memoryType,
    importance: after.importance,
    archived: archivedFact(after),
    occurredAt: after.occurredAt,
    expiresAt: after.expiresAt ?? null,
  }
  await updateEntry(tx, vault, after.memoryId, seq, { ...facts, ...entry?.facts }, entry?.bytes)
  // What it superseded ends when it begins.
  if (after.supersedesId !== undefined && after.occurredAt !== before.occurredAt)
    await updateEntry(tx, vault, after.supersedesId, seq, { supersededAt: after.occurredAt })
}
