import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { agentRecord, describeAgent } from './agents.ts'
import { countAgents } from './run-list-store.ts'
import { sumRuns } from './run-store.ts'

const dayMs = 86_400_000

const agentOfVault = agentRecord
  .extend({
    runs: z.int().describe('That were heard of in these days.'),
    toolCalls: z.int().describe('In all of these runs; what else is said is of the latest one.'),
  })
  .meta({ id: 'AgentOfVault' })

export const browseAgents = operation({
  name: 'browse-agents',
  for: { person: 'GET /api/agents' },
  vault: 'required',
  summary: 'Agents that have worked in a vault with a run, those heard of last first.',
  effect: 'read',
  outdatedBy: ['agents', 'runs'],
  input: z.object({
    ...fields.ownVault,
    withinDays: z.coerce.number().int().min(1).max(365).default(30).describe('How far back to look, 1 to 365 days.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.looseObject({ agents: z.array(agentOfVault), ...page }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', withinDays: 7 },
    output: {
      agents: [
        {
          agentId: 'claude-code',
          agentType: 'coding',
          label: 'Laptop',
          modelId: null,
          agentRunId: 'run-42',
          startedAt: '2026-11-21T08:30:00.000Z',
          lastSeenAt: '2026-11-21T09:00:00.000Z',
          endedAt: null,
          currentActivity: 'Reviewing the parser',
          runs: 3,
          toolCalls: 41,
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ withinDays, limit, offset }, ctx) {
    const { db, vault, runs, now } = ctx
    await runs.flush(vault.id)
    const since = now() - withinDays * dayMs
    const found = await sumRuns(db.read, vault, { since, limit: offset + limit })
    return {
      agents: found
        .slice(offset)
        .map(({ latest, runs: count, toolCalls }) => ({ ...describeAgent(ctx, latest), runs: count, toolCalls })),
      ...pageOf({ limit, offset }, await countAgents(db.read, vault, since)),
    }
  },
})
