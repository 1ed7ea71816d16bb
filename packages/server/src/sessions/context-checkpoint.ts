import { z } from 'zod'
import { createMemory, type MemoryWriter, originOf } from '../memories/create-memory.ts'
import { openInbox, readPending } from '../messages/inbox.ts'
import { claimedAgentId, type WriterContext } from '../operation/claimed-agent.ts'
import type { AgentVaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { findVaultKeys } from '../vaults/store.ts'
import {
  itemResult,
  looseItem,
  storeItem,
  type CheckpointWriting,
  type ItemResult,
  type StoredItem,
} from './checkpoint-item.ts'
import { describeMessage, messageEntry } from './entries.ts'
import { checkpointTag, findCheckpoint, insertCheckpoint, setMark } from './mark-store.ts'

const maxPending = 10

const input = z.object({
  memories: z
    .array(looseItem)
    .max(50)
    .describe('What to keep from the session, at most 50 memories. Each is validated and stored separately.'),
  sessionSummary: z.string().min(1).max(100_000).describe('What happened. Stored as an episodic memory.'),
  dedup: z.boolean().default(true).describe('Skip memories that repeat an existing one of the same type.'),
  ...fields.inVault,
  agentRunId: fields.common.agentRunId.describe(
    'The run that ends or pauses here. With a run id, a repeated call stores nothing twice. Default: the X-Agent-Run-Id header.',
  ),
})

type Input = z.output<typeof input>

const answerFields = {
  vaultId: z.uuid(),
  total: z.int(),
  created: z.int(),
  skipped: z.int(),
  failed: z.int(),
  durationMs: z.int(),
  results: z.array(itemResult).describe('In the order of the memories sent.'),
  summaryMemoryId: z.uuid(),
}

type StoredAnswer = z.input<z.ZodObject<typeof answerFields>>

export const contextCheckpoint = operation({
  name: 'context-checkpoint',
  for: { agent: { toolset: 'session', scopes: ['write'], isSentByHooks: true, isCheckpoint: true, creates: 'memory' } },
  vault: 'resolved',
  summary: 'Save what a session learned, and its summary, in one call.',
  effect: 'write',
  changes: ['runs', 'memories', 'tasks'],
  // 50 contents of the maximum length of write-memory are 5 MB. The rest is for escapes and other fields.
  bodyLimitBytes: 8 * 1024 * 1024,
  input,
  output: z.looseObject({
    ...answerFields,
    idempotent: z.boolean().describe('Whether the same checkpoint of this run was already answered.'),
    pendingMessages: z
      .array(messageEntry)
      .optional()
      .describe(`The most urgent pending messages, clipped, at most ${maxPending}.`),
  }),
  returns: ({ summaryMemoryId, results, pendingMessages = [] }) => [
    ...refs('memory', summaryMemoryId),
    ...results.flatMap(({ memoryId }) => refs('memory', memoryId)),
    ...pendingMessages.flatMap(({ messageId: id }) => refs('message', id)),
  ],
  examples: {
    input: {
      memories: [{ content: 'The deploy needs the VPN.', memoryType: 'constraint', importance: 4 }],
      sessionSummary: 'Moved the billing tables; the backfill is still running.',
      agentRunId: 'run-2026-11-21',
    },
    output: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      total: 1,
      created: 1,
      skipped: 0,
      failed: 0,
      durationMs: 12,
      results: [{ index: 0, status: 'created', memoryId: '0198c5f0-0000-7000-8000-000000000101', dedupAction: 'none' }],
      summaryMemoryId: '0198c5f0-0000-7000-8000-000000000102',
      idempotent: false,
    },
  },
  created: ({ idempotent }) => !idempotent,
  async run(request, ctx) {
    const { answer, isRepeat } = await saveOnce(ctx, request)
    return { ...answer, idempotent: isRepeat, ...(await listPending(ctx, request)) }
  },
})

type Saver = WriterContext & MemoryWriter & Pick<AgentVaultContext, 'actor' | 'vault'>

/**
 * Stores the answer to a checkpoint, and gives each memory an idempotency key derived from the checkpoint. A repeated call
 * completes an interrupted one or returns the stored answer.
 */
async function saveOnce(ctx: Saver, request: Input): Promise<{ answer: StoredAnswer; isRepeat: boolean }> {
  const { db, vault } = ctx
  const tag = tagOf(ctx, request)
  const known = tag && (await findCheckpoint(db.read, vault, tag))
  if (known !== undefined) return { answer: known as StoredAnswer, isRepeat: true }
  const { answer, isFinal } = await save(ctx, request, tag)
  // An unexpected failure isn't kept: the same call tries it again.
  const isKept = tag !== undefined && isFinal
  const at = ctx.now()
  const seq = (await findVaultKeys(db.read, vault.userId, vault.id))?.seq ?? vault.seq
  const isFirst = await db.write(async (tx) => {
    const agentId = claimedAgentId(ctx, request.agentId)
    const marker = { integrationId: ctx.actor.integrationId, agentId }
    await setMark(tx, vault, marker, { at, seq, by: { summaryMemoryId: answer.summaryMemoryId } })
    return !isKept || (await insertCheckpoint(tx, vault, tag, { answer, at }))
  })
  if (isFirst || !isKept) return { answer, isRepeat: false }
  // An identical concurrent call finished first.
  return { answer: ((await findCheckpoint(db.read, vault, tag)) ?? answer) as StoredAnswer, isRepeat: true }
}

/** Undefined without a run, because two sessions can have the same content. */
function tagOf(
  ctx: Pick<AgentVaultContext, 'vault' | 'actor' | 'instance' | 'request'>,
  { agentId, agentRunId, memories, sessionSummary, dedup }: Input,
): Buffer | undefined {
  const run = agentRunId ?? ctx.request.runId
  if (run === undefined) return undefined
  return checkpointTag(
    ctx.vault,
    JSON.stringify([ctx.actor.integrationId, claimedAgentId(ctx, agentId), run, memories, sessionSummary, dedup]),
  )
}

async function save(ctx: Saver, request: Input, tag: Buffer | undefined) {
  const begin = performance.now()
  const writing: CheckpointWriting = {
    origin: originOf(ctx, request, 'context-checkpoint'),
    dedup: request.dedup ? openSettings(ctx.vault).dedup : undefined,
    externalWriteId: (index) => tag && `context-checkpoint:${tag.toString('hex')}:${index}`,
  }
  const items: StoredItem[] = []
  // In sequence, so that the first of two duplicates is stored.
  for (const [index, raw] of request.memories.entries()) items.push(await storeItem(ctx, writing, raw, index))
  const results = items.map(({ result }) => result)
  const summaryMemoryId = await storeSummary(ctx, writing, request.sessionSummary)
  const count = (status: ItemResult['status']) => results.filter((result) => result.status === status).length
  const answer: StoredAnswer = {
    vaultId: ctx.vault.id,
    total: results.length,
    created: count('created'),
    skipped: count('skipped'),
    failed: count('failed'),
    durationMs: Math.round(performance.now() - begin),
    results,
    summaryMemoryId,
  }
  return { answer, isFinal: items.every(({ isFinal }) => isFinal) }
}

/** Stored without deduplication: two sessions with the same summary are both worth keeping. */
async function storeSummary(ctx: MemoryWriter, writing: CheckpointWriting, content: string): Promise<string> {
  const { memoryId } = await createMemory(ctx, {
    content,
    memoryType: 'episodic',
    origin: writing.origin,
    externalWriteId: writing.externalWriteId('summary'),
  })
  return memoryId
}

/** Undefined if no messages are pending. */
async function listPending(
  ctx: Pick<AgentVaultContext, 'actor' | 'db' | 'instance' | 'keyring' | 'now'>,
  { agentId }: Input,
) {
  const inbox = await openInbox(ctx, 'read', { agentId })
  const { messages } = await readPending(ctx, inbox, { limit: maxPending })
  if (messages.length === 0) return {}
  return { pendingMessages: messages.map((message) => describeMessage(message, { now: inbox.at, isWhole: false })) }
}
