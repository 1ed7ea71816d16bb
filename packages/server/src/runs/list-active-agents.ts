import { z } from 'zod'
import { openProfile } from '../auth/store.ts'
import { dayMs, isoTime, isoTimeOrNull } from '../core/time.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { page, pageOf } from '../operation/page.ts'
import { countAgents, listAgents, type SeenAgent } from './agent-store.ts'

/** An agent as agents and people see it. */
export const agentRecord = z
  .looseObject({
    agentId: z.string(),
    agentType: z.string().nullable(),
    label: z.string().nullable().describe("Its integration's label; null if the integration was deleted."),
    modelId: z.string().nullable(),
    agentRunId: z.string().nullable().describe('Its latest run; null if it calls without a run id.'),
    startedAt: fields.timestamp.describe(
      'When the run began. Without a run: its first call after an hour without any.',
    ),
    lastSeenAt: fields.timestamp,
    endedAt: fields.timestamp.nullable().describe('When the run ended, if the agent said so.'),
    toolCalls: z.int().describe('Calls in this run. Without a run: calls since `startedAt`.'),
    currentActivity: z.string().nullable(),
  })
  .meta({ id: 'Agent' })

const countedAgent = agentRecord
  .extend({
    runs: z.int().describe('Its runs in this time.'),
    allCalls: z.int().describe('Its calls in all of these runs, and without a run.'),
  })
  .meta({ id: 'ActiveAgent' })

export type AgentRecord = z.infer<typeof agentRecord>

export const listActiveAgents = operation({
  name: 'list-active-agents',
  for: { agent: { toolset: 'session', scopes: ['read'] }, person: 'GET /api/agents' },
  vault: 'resolved',
  summary: 'List the agents that called recently in the vault, most recent first, each with its latest run.',
  effect: 'read',
  outdatedBy: ['agents', 'runs'],
  input: z.object({
    withinMinutes: z.int().min(1).max(10_080).default(60).describe('How far back to look, 1 minute to 7 days.'),
    withinDays: z.int().min(1).max(365).optional().describe('How far back to look in days, instead of withinMinutes.'),
    limit: fields.limit,
    offset: fields.offset,
    ...fields.inVault,
  }),
  output: z.looseObject({ agents: z.array(countedAgent).describe('Most recent first.'), ...page }),
  examples: {
    input: { withinMinutes: 120 },
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
          toolCalls: 17,
          currentActivity: 'Reviewing the parser',
          runs: 3,
          allCalls: 41,
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ withinMinutes, withinDays, limit, offset }, ctx) {
    const { db, vault, runs, now } = ctx
    // Calls that this process has counted and not written yet belong to the answer.
    await runs.flush(vault.id)
    const since = now() - (withinDays === undefined ? withinMinutes * 60_000 : withinDays * dayMs)
    const found = await listAgents(db.read, vault, { since, limit, offset })
    return {
      agents: found.map((agent) => ({
        ...describeAgent(ctx, agent),
        runs: agent.runs,
        allCalls: agent.allCalls,
      })),
      ...pageOf({ limit, offset }, await countAgents(db.read, vault, since)),
    }
  },
})

/** The agents that called in the last minutes, as session-start shows them. */
export async function recentAgents(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'instance' | 'runs' | 'now'>,
  { withinMinutes, limit }: { withinMinutes: number; limit: number },
): Promise<AgentRecord[]> {
  const { db, vault, now, runs } = ctx
  await runs.flush(vault.id)
  const found = await listAgents(db.read, vault, { since: now() - withinMinutes * 60_000, limit, offset: 0 })
  return found.map((agent) => describeAgent(ctx, agent))
}

export function describeAgent(
  { instance, vault }: Pick<VaultContext, 'instance' | 'vault'>,
  agent: Omit<SeenAgent, 'runs' | 'allCalls'>,
): AgentRecord {
  const { integrationId, profile } = agent
  const integration =
    integrationId === undefined || profile === undefined
      ? undefined
      : openProfile(instance, { userId: vault.userId, integrationId }, profile)
  return {
    agentId: agent.agentId,
    agentType: integration?.agentType ?? null,
    label: integration?.label ?? null,
    modelId: agent.modelId ?? null,
    agentRunId: agent.agentRunId ?? null,
    startedAt: isoTime(agent.startedAt),
    lastSeenAt: isoTime(agent.lastSeenAt),
    endedAt: isoTimeOrNull(agent.endedAt),
    toolCalls: agent.toolCalls,
    currentActivity: agent.currentActivity ?? null,
  }
}
