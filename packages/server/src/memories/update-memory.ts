import type { VaultScope } from '../crypto/keys.ts'
import { z } from 'zod'
import { conflict, invalid } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import type { Tx } from '../db/dialect.ts'
import { insertLink } from '../links/store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { nextSeq } from '../vaults/store.ts'
import { updateEntry } from '../vault-index/store.ts'
import { changeMemory, isUnchanged, needsSeal } from './change-memory.ts'
import { archivedFact, prepareChange, settleChange, type Reindexing } from './index-memory.ts'
import { memoryTypes, writableFields, type Memory } from './memory.ts'
import { linkTo, refuseUnknownIds, relatedId, relinkSources } from './related-memories.ts'
import { getMemory, updateMemory as storeMemory } from './store.ts'
import { supersede } from './supersede.ts'
import { insertTask } from './task-store.ts'

const bodyLimitBytes = 2 * 1024 * 1024

const input = z.object({
  memoryId: fields.memoryId,
  content: writableFields.content.optional(),
  summary: writableFields.summary,
  memoryType: z.enum(memoryTypes).optional().describe('Kind of memory.'),
  importance: fields.importance.optional().describe('1 (trivial) to 5 (vital).'),
  confidence: fields.importance.optional().describe('1 (a guess) to 5 (certain).'),
  entities: writableFields.entities,
  relatedMemoryIds: writableFields.relatedMemoryIds,
  sourceNoteIds: writableFields.sourceNoteIds,
  supersededById: writableFields.supersededById,
  expiresAt: fields.timestamp.nullable().optional().describe('From when on it counts as gone; null: never.'),
  metadata: fields.metadata.optional().describe('Merged into what is there; a key set to null is deleted.'),
  writeReason: writableFields.writeReason,
  occurredAt: writableFields.occurredAt,
  archived: z
    .literal(false, 'must be false, which restores; use archive-memory to archive')
    .optional()
    .describe('false restores an archived memory; archive-memory archives.'),
  expectedVersion: fields.expectedVersion,
  ...fields.inVault,
})

type Input = z.output<typeof input>

export const updateMemory = operation({
  name: 'update-memory',
  scopes: ['write'],
  vault: 'resolved',
  summary: 'Change a memory, or restore an archived one. Fields left out stay as they are.',
  effect: 'write',
  alias: 'memoryId',
  bodyLimitBytes,
  input,
  output: z.looseObject({
    memoryId: z.uuid(),
    updated: z.boolean().describe('False where nothing was to change.'),
    version: z.int(),
    vaultId: z.uuid(),
    memoryType: z.enum(memoryTypes),
    updatedAt: fields.timestamp,
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
    for (let attempt = 1; ; attempt++) {
      const answer = await tryUpdate(change, ctx, attempt === maxAttempts)
      if (answer !== undefined) return answer
    }
  },
})

const maxAttempts = 3

/** Undefined where the memory changed meanwhile, so that its new text would have to be embedded, and this is not the last try. */
async function tryUpdate(change: Input, ctx: VaultContext, isLast: boolean) {
  const { db, vault } = ctx
  const before = await getMemory(db.read, vault, change.memoryId)
  const plan = planUpdate(change, ctx, before)
  if (plan === undefined) return describe(before, false)
  const planned = { ...plan, entry: await prepareChange(ctx, plan) }
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const current = await getMemory(tx, vault, change.memoryId)
    const isStale = current.version !== before.version
    const update = isStale ? planUpdate(change, ctx, current) : plan
    if (update === undefined) return describe(current, false)
    const entry = isStale ? await settleChange(ctx, planned, update, isLast) : planned.entry
    if (entry === 'outdated') return undefined
    await addLinks(tx, vault, seq, update.after, change)
    if (change.sourceNoteIds !== undefined) await relinkSources(tx, vault, seq, update.before, update.after)
    await store(tx, vault, seq, { ...update, entry })
    return describe(update.after, true)
  })
}

/** Undefined where nothing is to change. */
function planUpdate(change: Input, ctx: VaultContext, before: Memory): Omit<Reindexing, 'entry'> | undefined {
  refuseOtherVersion(change, before)
  const after = changeMemory(before, change, ctx.now())
  if (!fields.fitsMetadata(after.head.metadata)) throw invalid({ metadata: `${fields.metadataLimit}, once merged` })
  if (isUnchanged(before, after) && (change.relatedMemoryIds ?? []).length === 0) return undefined
  return { before, after }
}

function refuseOtherVersion({ expectedVersion }: Input, { version }: Memory): void {
  if (expectedVersion !== undefined && expectedVersion !== version)
    throw conflict(`The memory has version ${version}, not ${expectedVersion}; read it again and decide anew`)
}

async function addLinks(tx: Tx, vault: VaultScope, seq: number, memory: Memory, change: Input): Promise<void> {
  const related = change.relatedMemoryIds ?? []
  if (related.some((relation) => relatedId(relation) === memory.memoryId))
    throw invalid({ relatedMemoryIds: 'a memory cannot be linked to itself' })
  await refuseUnknownIds(tx, vault, related, change.sourceNoteIds ?? [])
  for (const relation of related) await insertLink(tx, vault, seq, linkTo(memory.memoryId, relation), memory.updatedAt)
  if (change.supersededById !== undefined) await supersede(tx, vault, seq, change.supersededById, memory)
}

async function store(tx: Tx, vault: VaultScope, seq: number, { before, after, entry }: Reindexing): Promise<void> {
  await storeMemory(tx, vault, after, { resealed: needsSeal(before, after) })
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

const describe = (memory: Memory, updated: boolean) => ({
  memoryId: memory.memoryId,
  updated,
  version: memory.version,
  vaultId: memory.vaultId,
  memoryType: memory.memoryType,
  updatedAt: isoTime(memory.updatedAt),
})
