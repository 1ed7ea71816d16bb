import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import { findPage } from '../memories/find-page.ts'
import { memoryTypes } from '../memories/memory.ts'
import { isLive, titleOf } from '../memories/memory-title.ts'
import { findMemories } from '../memories/store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { agentRecord, describeAgent } from './agents.ts'
import { findRun, listRuns, type ListedRun } from './run-list-store.ts'

const runRecord = agentRecord
  .extend({
    id: z.uuid().describe('By which it is asked for here; `agentRunId` is what its agent calls it.'),
    integrationId: z.uuid().nullable(),
    metadata: z.record(z.string(), z.json()).describe('What the agent said of it.'),
  })
  .meta({ id: 'Run' })

const writtenMemory = z.looseObject({
  memoryId: z.uuid(),
  memoryType: z.enum(memoryTypes),
  title: z.string().describe('Its summary or first line, at most 200 characters.'),
  live: z.boolean().describe('False where it is archived, expired or superseded.'),
  createdAt: fields.timestamp,
})

const exampleRun = {
  id: '0198c5f0-0000-7000-8000-000000000401',
  integrationId: '0198c5f0-0000-7000-8000-000000000011',
  agentId: 'claude-code',
  agentType: 'coding',
  label: 'Laptop',
  modelId: null,
  agentRunId: 'run-42',
  startedAt: '2026-11-21T08:30:00.000Z',
  lastSeenAt: '2026-11-21T09:00:00.000Z',
  endedAt: null,
  toolCalls: 17,
  currentActivity: 'Reviewing the parser',
  metadata: {},
}

const maxWritten = 50

export const browseRuns = dashboardVaultOperation({
  name: 'browse-runs',
  method: 'GET',
  path: '/api/runs',
  summary: 'Runs of agents in a vault, those heard of last first; or the one with an id, with what it wrote.',
  effect: 'read',
  input: z.object({
    ...fields.ownVault,
    id: z.uuid().optional().describe('Only this one, as `run`, with the memories that it wrote.'),
    agentId: fields.agentName.optional().describe('Only runs of this agent.'),
    limit: fields.queryLimit,
    offset: fields.queryOffset,
  }),
  output: z.union([
    z.looseObject({ runs: z.array(runRecord), ...page }),
    z.looseObject({
      run: runRecord,
      memories: z
        .array(writtenMemory)
        .describe(
          `Memories of runs of this agentRunId in the vault, archived ones included: the newest ${maxWritten}.`,
        ),
      memoryCount: z.int(),
    }),
  ]),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001' },
    output: { runs: [exampleRun], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ id, agentId, limit, offset }, ctx) {
    const { db, vault, runs } = ctx
    // What this process has counted and not yet written.
    await runs.flush(vault.id)
    if (id !== undefined) {
      const run = await findRun(db.read, vault, id)
      if (run === undefined) throw notFound('Run')
      return { run: describeRun(ctx, run), ...(await listWritten(ctx, run.agentRunId)) }
    }
    const found = await listRuns(db.read, vault, agentId, { limit, offset })
    return { runs: found.runs.map((run) => describeRun(ctx, run)), ...pageOf({ limit, offset }, found.total) }
  },
})

const describeRun = (ctx: VaultContext, run: ListedRun) => ({
  ...describeAgent(ctx, run),
  id: run.id,
  integrationId: run.integrationId ?? null,
  metadata: run.metadata ?? {},
})

async function listWritten(ctx: VaultContext, agentRunId: string) {
  const now = ctx.now()
  const written = { limit: maxWritten, offset: 0 }
  const { ids, total } = await findPage(ctx, { state: 'all', now }, { agentRunId }, 'newest', written)
  const memories = new Map((await findMemories(ctx.db.read, ctx.vault, ids)).map((memory) => [memory.memoryId, memory]))
  return {
    memories: ids.flatMap((memoryId) => {
      const memory = memories.get(memoryId)
      if (memory === undefined) return []
      const { memoryType, createdAt } = memory
      const live = isLive(memory, now)
      return [{ memoryId, memoryType, title: titleOf(memory), live, createdAt: isoTime(createdAt) }]
    }),
    memoryCount: total,
  }
}
