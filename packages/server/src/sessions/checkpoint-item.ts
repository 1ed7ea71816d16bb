import { z } from 'zod'
import { invalid, ServiceError } from '../core/errors.ts'
import { createMemory, type CreatedMemory, type MemoryOrigin } from '../memories/create-memory.ts'
import type { DedupThresholds } from '../memories/dedup.ts'
import { dedupOutcome, describeDedup } from '../memories/write-memory.ts'
import { writableFields } from '../memories/memory.ts'
import { getMemory } from '../memories/store.ts'
import type { AgentVaultContext } from '../operation/context.ts'
import { parseInput } from '../operation/parse-input.ts'

/** One memory of a checkpoint: as write-memory takes it, but what is wrong with one is no matter of the others. */

const item = z.object(writableFields)

export type CheckpointItem = z.output<typeof item>

/** The same fields, of which nothing is demanded before the item is looked at by itself, not even that it is an object. */
const namedFields = z.looseObject(
  Object.fromEntries(
    Object.entries(writableFields).map(([name, field]) => [
      name,
      z
        .unknown()
        .optional()
        .describe(`As in write-memory. ${field.description ?? ''}`.trim()),
    ]),
  ),
)

export const looseItem = z.union([namedFields, z.unknown()])

export const itemResult = z.looseObject({
  index: z.int(),
  status: z.enum(['created', 'skipped', 'failed']).describe('skipped: a memory that says the same was there.'),
  memoryId: z.uuid().optional().describe('Of what was created, or of what was there.'),
  ...dedupOutcome,
  supersededMemoryId: z.uuid().optional(),
  error: z.string().optional().describe('Why it failed.'),
})

export type ItemResult = z.input<typeof itemResult>

/** What all items of a checkpoint have in common. */
export interface CheckpointWriting {
  origin: MemoryOrigin
  dedup: DedupThresholds | undefined
  /** The idempotency key of an item; undefined where the checkpoint has no run to be repeated in. */
  externalWriteId(index: number | 'summary'): string | undefined
}

export interface StoredItem {
  result: ItemResult
  /** Whether sending the same item again ends the same way. */
  isFinal: boolean
}

/** Stores one item. Throws only if the database or the server cannot go on: then the whole call is to be sent again. */
export async function storeItem(
  ctx: AgentVaultContext,
  writing: CheckpointWriting,
  raw: unknown,
  index: number,
): Promise<StoredItem> {
  try {
    const { data, fields } = parseInput(item, raw)
    if (fields !== undefined) throw invalid(fields)
    const result = await describeWrite(ctx, writing, index, await write(ctx, writing, data, index))
    return { result, isFinal: true }
  } catch (error) {
    if (isOutage(ctx, error)) throw error
    if (error instanceof ServiceError)
      return { result: { index, status: 'failed', error: error.message }, isFinal: true }
    ctx.log.warn('an item of a checkpoint could not be stored', { error })
    return { result: { index, status: 'failed', error: 'could not be stored' }, isFinal: false }
  }
}

const write = (ctx: AgentVaultContext, writing: CheckpointWriting, data: CheckpointItem, index: number) =>
  createMemory(ctx, {
    ...data,
    origin: writing.origin,
    externalWriteId: writing.externalWriteId(index),
    dedup: writing.dedup,
  })

async function describeWrite(
  ctx: AgentVaultContext,
  { externalWriteId, dedup }: CheckpointWriting,
  index: number,
  written: CreatedMemory,
): Promise<ItemResult> {
  const { memoryId, supersededMemoryId } = written
  if (written.isRepeat) {
    // Stored by an earlier call that ended before it could answer; whether as itself or as another memory, that one knows.
    const memory = await getMemory(ctx.db.read, ctx.vault, memoryId)
    const isOwn = memory.head.externalWriteId === externalWriteId(index)
    return { index, status: isOwn ? 'created' : 'skipped', memoryId }
  }
  return {
    index,
    status: written.wasCreated ? 'created' : 'skipped',
    memoryId,
    ...(dedup !== undefined && describeDedup(written)),
    ...(supersededMemoryId !== undefined && { supersededMemoryId }),
  }
}

function isOutage({ db }: AgentVaultContext, error: unknown): boolean {
  if (error instanceof ServiceError) return error.code === 'unavailable' || error.code === 'overloaded'
  return db.explainFailure(error) !== undefined
}
