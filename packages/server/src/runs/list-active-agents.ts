import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { agentRecord, recentAgents } from './agents.ts'

export const listActiveAgents = operation({
  name: 'list-active-agents',
  for: { agent: { scopes: ['read'] } },
  vault: 'resolved',
  summary: 'List the agents that were active in the vault lately, each with its latest run.',
  effect: 'read',
  input: z.object({
    withinMinutes: z.int().min(1).max(10_080).default(60).describe('How far back, 1 minute to 7 days.'),
    limit: fields.limit,
    ...fields.inVault,
  }),
  output: z.looseObject({ agents: z.array(agentRecord).describe('The latest first.') }),
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
        },
      ],
    },
  },
  run: async ({ withinMinutes, limit }, ctx) => ({ agents: await recentAgents(ctx, { withinMinutes, limit }) }),
})
