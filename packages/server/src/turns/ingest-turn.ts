import { withoutRecalled } from '@holdfast/client'
import { z } from 'zod'
import { newId } from '../core/ids.ts'
import { loopTurn } from '../core/loop-turns.ts'
import type { MemoryWriter } from '../memories/create-memory.ts'
import { permitOf } from '../memories/related-memories.ts'
import { claimedAgentId, type WriterContext } from '../operation/claimed-agent.ts'
import type { AgentVaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { findSignals } from '../text/signals.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { bySetting, ranges, type VaultSettings } from '../vaults/settings.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { extractMemories } from './extract-memories.ts'
import { storeExtracted } from './store-extracted.ts'
import { extractionStatuses, insertTurn, setTurnStatus, type ExtractionStatus, type Turn } from './turn-store.ts'

const input = z.object({
  content: z.string().min(1).max(50_000).describe('What was said, 1 to 50,000 characters.'),
  role: z.enum(['user', 'assistant']).describe('Who said it.'),
  signalThreshold: bySetting('signalThreshold', 'Minimum signal score at which memories are extracted, 0 to 10.'),
  customSignalKeywords: ranges.signalKeywords
    .optional()
    .describe(
      "More words that count as signals, in addition to the vault's. At most 50 words of 100 characters, matched literally.",
    ),
  occurredAt: fields.timestamp.optional().describe('When it was said. Default: now.'),
  ...fields.inVault,
})

export const ingestTurn = operation({
  name: 'ingest-turn',
  for: { agent: { toolset: 'hooks', scopes: ['write'], isSentByHooks: true, creates: 'memory' } },
  vault: 'resolved',
  summary: 'Record a turn of a conversation. Anything in it worth remembering is stored as memories.',
  effect: 'write',
  changes: ['runs', 'memories'],
  input,
  output: z.looseObject({
    turnId: z.uuid(),
    signalScore: z.int().describe('0 to 10: how likely the turn contains something worth remembering.'),
    signalKeywords: z
      .array(z.string())
      .describe('Words that produced the score, in lower case. Custom words are returned as you gave them.'),
    extractionStatus: z
      .enum(extractionStatuses)
      .describe(
        'skipped: score below the threshold. stored: no memories found, or extraction is off. extracted: memories were stored. queued: waiting for the language model. failed: the memories could not be stored. The turn itself is kept in every case.',
      ),
    memoryIds: z.array(z.uuid()).describe('Memories that were created or already existed.'),
    vaultId: z.uuid(),
  }),
  returns: ({ turnId, memoryIds }) => [...refs('turn', turnId), ...refs('memory', memoryIds)],
  examples: {
    input: { role: 'user', content: 'Please always run the linter before you commit.' },
    output: {
      turnId: '0198c5f0-0000-7000-8000-000000000701',
      signalScore: 3,
      signalKeywords: ['always'],
      extractionStatus: 'extracted',
      memoryIds: ['0198c5f0-0000-7000-8000-000000000101'],
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
    },
  },
  created: () => true,
  async run(request, ctx) {
    await loopTurn({ userId: ctx.actor.userId, vaultId: ctx.vault.id })
    const settings = openSettings(ctx.vault)
    const ownWords = [...settings.customSignalKeywords, ...(request.customSignalKeywords ?? [])]
    const spoken = withoutRecalled(request.content)
    const { score, keywords } = findSignals(spoken, ownWords)
    const hasSignal = score >= (request.signalThreshold ?? settings.signalThreshold) && spoken.trim() !== ''
    const isQueued = hasSignal && settings.extraction === 'llm' && ctx.hasLanguageModel
    const turn = turnOf(ctx, request, score, isQueued ? 'queued' : hasSignal ? 'stored' : 'skipped')
    await ctx.db.write(async (tx) => {
      await lockVault(tx, ctx.vault)
      await insertTurn(tx, ctx.vault, turn)
    })
    const isForRules = turn.status === 'stored' && settings.extraction !== 'off'
    const made = isForRules ? await makeMemories(ctx, turn, settings) : { status: turn.status, memoryIds: [] }
    // After its memories, since the activity links to the first record.
    ctx.about('turn', turn.turnId)
    return {
      turnId: turn.turnId,
      signalScore: score,
      signalKeywords: keywords,
      extractionStatus: made.status,
      memoryIds: made.memoryIds,
      vaultId: ctx.vault.id,
    }
  },
})

function turnOf(
  ctx: WriterContext & Pick<AgentVaultContext, 'actor'>,
  request: z.output<typeof input>,
  score: number,
  status: ExtractionStatus,
): Turn {
  const at = ctx.now()
  return {
    turnId: newId(),
    integrationId: ctx.actor.integrationId,
    score,
    status,
    content: request.content,
    role: request.role,
    agentId: claimedAgentId(ctx, request.agentId),
    agentRunId: request.agentRunId ?? ctx.request.runId,
    modelId: request.modelId,
    occurredAt: request.occurredAt === undefined ? at : Date.parse(request.occurredAt),
    createdAt: at,
  }
}

/** The turn is already stored; an error here only changes its status. */
async function makeMemories(
  ctx: MemoryWriter & Pick<AgentVaultContext, 'actor' | 'instance' | 'request'>,
  turn: Turn,
  { dedup }: VaultSettings,
): Promise<{ status: ExtractionStatus; memoryIds: string[] }> {
  const found = extractMemories(turn.content, turn.role)
  if (found.length === 0) return { status: 'stored', memoryIds: [] }
  const place = { userId: ctx.vault.userId, vaultId: ctx.vault.id, turnId: turn.turnId }
  try {
    const memoryIds = await storeExtracted(ctx, turn, found, {
      dedup,
      by: 'rules',
      permit: permitOf(ctx),
    })
    await ctx.db.write((tx) => setTurnStatus(tx, place, 'extracted'))
    return { status: 'extracted', memoryIds }
  } catch (error) {
    ctx.log.warn('could not store the memories of a turn', { error, requestId: ctx.request.requestId })
    await ctx.db.write((tx) => setTurnStatus(tx, place, 'failed'))
    return { status: 'failed', memoryIds: [] }
  }
}
