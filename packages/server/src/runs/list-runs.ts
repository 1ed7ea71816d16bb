import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import { collectDamage } from '../crypto/cell.ts'
import { isLive, memoryTypes, titleOf } from '../memories/memory.ts'
import { findIntactMemories } from '../memories/store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeLeftOut, leftOut, page, pageOf } from '../operation/page.ts'
import { describeWork, runWork, type RunWork } from './describe-work.ts'
import { agentRecord, describeAgent } from './list-active-agents.ts'
import { findRunMemories } from './run-writes.ts'
import { countOperations, readRunCalls } from './run-call-store.ts'
import { findRun, listRunPage, type RunFilter } from './run-store.ts'
import type { RecentRun } from './run-store.ts'

const runRecord = agentRecord
  .extend({
    agentRunId: z.string(),
    id: z.uuid().describe('Id of the run in this API. `agentRunId` is the id that its agent uses.'),
    integrationId: z.uuid().nullable(),
    metadata: z.record(z.string(), z.json()).describe('Metadata from the agent.'),
    reads: z.int().describe('Calls to this service that read something.'),
    writes: z.int().describe('Successful calls to operations that change data.'),
    failures: z.int().describe('Calls that failed.'),
    checkpointAt: fields.timestamp.nullable().describe('When it last called context-checkpoint.'),
    work: runWork.describe('What it did.'),
  })
  .meta({ id: 'Run' })

const writtenMemory = z.looseObject({
  memoryId: z.uuid(),
  memoryType: z.enum(memoryTypes),
  title: z.string().describe('Its summary or first line, at most 200 characters.'),
  live: z.boolean().describe('False if it is archived, expired or superseded.'),
  createdAt: fields.timestamp,
})

const operationCount = z.looseObject({
  operation: z.string(),
  isWrite: z.boolean(),
  done: z.int().describe('Calls that succeeded.'),
  failed: z.int(),
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
  reads: 12,
  writes: 4,
  failures: 1,
  checkpointAt: '2026-11-21T08:58:00.000Z',
  work: { title: 'Moved the parser to the new grammar', memories: 3, tasks: 1, notes: 0 },
}

const maxWritten = 50
/** Each row has the calls of a few seconds. Few runs have more rows. */
const countedRows = 1_000

export const listRuns = operation({
  name: 'list-runs',
  for: { person: 'GET /api/runs' },
  vault: 'required',
  summary: 'List runs of agents in a vault, last active first; or return one by id, with what it wrote.',
  effect: 'read',
  outdatedBy: ['runs', 'memories'],
  about: ({ id }) => refs('run', id),
  input: z.object({
    ...fields.ownVault,
    id: z.uuid().optional().describe('Return only this run, as `run`, with the memories that it wrote.'),
    agentId: fields.agentName.optional().describe('Only runs of this agent.'),
    failed: z.boolean().optional().describe('true: only runs with a failed call.'),
    checkpoint: z.boolean().optional().describe('Only runs with a context-checkpoint, or only runs without one.'),
    seenFrom: fields.timestamp.optional().describe('Only runs that were active at or after this time.'),
    startedBefore: fields.timestamp.optional().describe('Only runs that began before this time.'),
    ended: z.boolean().optional().describe('true: only runs whose agent said that they ended. false: only the others.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.union([
    z.looseObject({ runs: z.array(runRecord), ...page }),
    z.looseObject({
      run: runRecord,
      memories: z
        .array(writtenMemory)
        .describe(`The newest ${maxWritten} memories that it wrote, including archived ones.`),
      memoryCount: z.int(),
      ...leftOut,
      operations: z
        .array(operationCount)
        .describe(
          'Operations that it called, most frequent first. Counts at least the latest 1,000 calls of the last 30 days.',
        ),
    }),
  ]),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001' },
    output: { runs: [exampleRun], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ id, limit, offset, ...filter }, ctx) {
    const { db, vault, runs } = ctx
    // Writes the calls that this process has counted but not written yet.
    await runs.flush(vault.id)
    if (id !== undefined) {
      const run = await findRun(db.read, vault, id)
      if (run === undefined) throw notFound('Run')
      const operations = countOperations(await readRunCalls(db.read, vault, id, countedRows))
      const work = await describeWork(ctx, [run])
      return { run: describeRun(ctx, run, work), ...(await listWritten(ctx, run)), operations }
    }
    const found = await listRunPage(db.read, vault, filterOf(filter), { limit, offset })
    const work = await describeWork(ctx, found.runs)
    return { runs: found.runs.map((run) => describeRun(ctx, run, work)), ...pageOf({ limit, offset }, found.total) }
  },
})

interface AskedFilter {
  agentId?: string | undefined
  failed?: boolean | undefined
  checkpoint?: boolean | undefined
  seenFrom?: string | undefined
  startedBefore?: string | undefined
  ended?: boolean | undefined
}

const filterOf = ({ agentId, failed, checkpoint, seenFrom, startedBefore, ended }: AskedFilter): RunFilter => ({
  agentId,
  hasFailures: failed === true,
  hasCheckpoint: checkpoint,
  seenFrom: seenFrom === undefined ? undefined : Date.parse(seenFrom),
  startedBefore: startedBefore === undefined ? undefined : Date.parse(startedBefore),
  hasEnded: ended,
})

const describeRun = (
  ctx: Pick<VaultContext, 'instance' | 'vault'>,
  run: RecentRun,
  work: ReadonlyMap<string, RunWork>,
) => ({
  ...describeAgent(ctx, run),
  agentRunId: run.agentRunId,
  id: run.id,
  integrationId: run.integrationId ?? null,
  metadata: run.metadata ?? {},
  reads: run.reads,
  writes: run.writes,
  failures: run.failures,
  checkpointAt: isoTimeOrNull(run.checkpointAt),
  work: work.get(run.id) ?? noWork,
})

const noWork: RunWork = { title: null, memories: 0, tasks: 0, notes: 0 }

async function listWritten(ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'instance' | 'now'>, run: RecentRun) {
  const now = ctx.now()
  const written = await findRunMemories(ctx, run)
  const ids = written.slice(0, maxWritten).map(({ id }) => id)
  const damage = collectDamage(ctx.instance.onDamage)
  const intact = await findIntactMemories(ctx.db.read, ctx.vault, ids, damage.onDamage)
  const memories = new Map(intact.map((memory) => [memory.memoryId, memory]))
  return {
    memories: ids.flatMap((memoryId) => {
      const memory = memories.get(memoryId)
      if (memory === undefined) return []
      const { memoryType, createdAt } = memory
      const live = isLive(memory, now)
      return [{ memoryId, memoryType, title: titleOf(memory), live, createdAt: isoTime(createdAt) }]
    }),
    memoryCount: written.length,
    ...describeLeftOut(damage.ids),
  }
}
