import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { countFacets } from './count-facets.ts'
import { exampleMemory, memoryTypes } from './memory.ts'

const count = z.int()
const named = z.array(z.looseObject({ value: z.string(), count })).describe('The 50 that stand for most.')

export const countMemories = operation({
  name: 'count-memories',
  for: { person: 'GET /api/memories/facets' },
  vault: 'required',
  summary: 'How many memories there are of each type, importance, agent and entity: what a list can be narrowed by.',
  effect: 'read',
  outdatedBy: ['memories', 'links'],
  input: z.object({
    ...fields.ownVault,
    state: z
      .enum(['live', 'archived', 'all'])
      .default('live')
      .describe(
        'Which memories: those that search finds, archived ones, or all, superseded and expired ones included.',
      ),
  }),
  output: z.looseObject({
    total: count.describe('Of those that were asked for, as all below but `states`.'),
    types: z.array(z.looseObject({ value: z.enum(memoryTypes), count })),
    importances: z.array(z.looseObject({ value: z.int(), count })).describe('The most important first.'),
    agents: named.describe('Who wrote them, at most 50, who wrote most first.'),
    entities: named.describe('What they are about, at most 50, the most frequent first.'),
    states: z.looseObject({ live: count, archived: count, all: count }),
    neverRecalled: count,
    contradicts: count.describe('With a link that says that they contradict another record.'),
  }),
  examples: {
    input: { vaultId: exampleMemory.vaultId },
    output: {
      total: 1,
      types: [{ value: 'preference', count: 1 }],
      importances: [{ value: 4, count: 1 }],
      agents: [{ value: 'claude-code', count: 1 }],
      entities: [{ value: 'Go', count: 1 }],
      states: { live: 1, archived: 0, all: 1 },
      neverRecalled: 1,
      contradicts: 0,
    },
  },
  run: ({ state }, ctx) => countFacets(ctx, state),
})
