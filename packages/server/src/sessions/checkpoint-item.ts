import { z } from 'zod'
import { invalid, ServiceError } from '../core/errors.ts'
import {
  createMemory,
  proposeSuccessor,
  type CreatedMemory,
  type MemoryOrigin,
  type MemoryWriter,
} from '../memories/create-memory.ts'
import { type DedupThresholds, dedupOutcome, describeDedup } from '../memories/dedup.ts'
import { writableFields } from '../memories/memory.ts'
import { getMemory } from '../memories/store.ts'
import { permitOf } from '../memories/related-memories.ts'
import type { AgentVaultContext } from '../operation/context.ts'
import { parseInput } from '../operation/parse-input.ts'
import { proposalNotice, type ProposalNotice } from '../proposals/propose.ts'

/** One memory of a checkpoint, as in write-memory. An invalid item doesn't affect the others. */

const item = z.object(writableFields)

type CheckpointItem = z.output<typeof item>

/** The same fields without validation. Each item is validated separately later, even whether it is an object. */
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
  status: z
    .enum(['created', 'skipped', 'failed'])
    .describe('skipped: a memory that says the same thing already exists, or the memory was only proposed.'),
  memoryId: z.uuid().optional().describe('Id of the created or existing memory.'),
  ...dedupOutcome,
  supersededMemoryId: z.uuid().optional(),
  error: z.string().optional().describe('Why it failed.'),
  proposal: proposalNotice,
})

export type ItemResult = z.input<typeof itemResult>

/** What all items of a checkpoint share. */
export interface CheckpointWriting {
  origin: MemoryOrigin
  dedup: DedupThresholds | undefined
  /** The idempotency key of an item; undefined if the checkpoint has no run. */
  externalWriteId(index: number | 'summary'): string | undefined
}

type CheckpointContext = MemoryWriter & Pick<AgentVaultContext, 'vault' | 'actor' | 'instance' | 'request'>

export interface StoredItem {
  result: ItemResult
  /** Whether a retry would have the same result. */
  isFinal: boolean
}

/** Stores one item. Throws only if the database or server fails; the caller then retries the whole call. */
export async function storeItem(
  ctx: CheckpointContext,
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

function write(ctx: CheckpointContext, writing: CheckpointWriting, data: CheckpointItem, index: number) {
  const { origin, dedup } = writing
  const externalWriteId = writing.externalWriteId(index)
  const permit = permitOf(ctx)
  return createMemory(ctx, { ...data, origin, externalWriteId, dedup, permit }).catch((error: unknown) =>
    proposeSuccessor(ctx, error, { ...data, ...origin, externalWriteId }),
  )
}

async function describeWrite(
  ctx: Pick<MemoryWriter, 'db' | 'vault'>,
  { externalWriteId, dedup }: CheckpointWriting,
  index: number,
  written: CreatedMemory & { proposal?: ProposalNotice },
): Promise<ItemResult> {
  const { memoryId, supersededMemoryId, proposal } = written
  if (proposal !== undefined) return { index, status: 'skipped', memoryId, proposal }
  if (written.isRepeat) {
    // An earlier call stored it but didn't answer. The stored memory shows whether it was created or was a duplicate.
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

function isOutage({ db }: Pick<MemoryWriter, 'db'>, error: unknown): boolean {
  if (error instanceof ServiceError) return error.code === 'unavailable' || error.code === 'overloaded'
  return db.explainFailure(error) !== undefined
}
