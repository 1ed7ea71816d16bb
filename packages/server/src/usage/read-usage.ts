import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { operation } from '../operation/operation.ts'
import { callsFields, callsUsage, describeCalls, exampleCalls } from './usage-calls.ts'
import { describeMemories, exampleMemories, memoriesUsage } from './usage-memories.ts'
import { describeUnits, exampleUnits, unitsUsage } from './usage-units.ts'
import { rangeFields } from './usage-range.ts'
import { describeStorage, storageFields, storageUsage } from './usage-storage.ts'

const parts = ['units', 'calls', 'memories', 'storage'] as const

export const readUsage = operation({
  name: 'read-usage',
  for: { person: 'GET /api/usage' },
  summary:
    'Read what your agents use: their units by month and their limits, statistics of their calls, when your memories were created, and the size of your vaults. The answer has the parts that you name.',
  effect: 'read',
  outdatedBy: ['runs', 'memories', 'links'],
  about: ({ integrationId }) => refs('integration', integrationId),
  input: z.object({
    parts: z
      .array(z.enum(parts))
      .min(1)
      .max(parts.length)
      .describe('What to read, as fields of the answer. Repeat to read several parts.'),
    ...rangeFields,
    ...callsFields,
    ...storageFields,
  }),
  output: z.looseObject({
    units: unitsUsage.optional().describe("Your agents' answered requests by month, and their limits."),
    calls: callsUsage
      .optional()
      .describe("Your agents' calls, by day and by operation or agent: counts, times and errors. Kept for 400 days."),
    memories: memoriesUsage
      .optional()
      .describe('When your existing memories were created, including tasks and archived ones.'),
    storage: storageUsage
      .optional()
      .describe(
        'The size of your vaults, the default vault first. Measured within a minute after a change, less often in large vaults.',
      ),
  }),
  examples: {
    input: { parts: ['units', 'calls', 'memories'], from: '2026-11-20', to: '2026-11-21' },
    output: { units: exampleUnits, calls: exampleCalls, memories: exampleMemories },
  },
  async run({ parts: wanted, ...asked }, ctx) {
    return {
      ...(wanted.includes('units') && { units: await describeUnits(ctx) }),
      ...(wanted.includes('calls') && { calls: await describeCalls(ctx, asked) }),
      ...(wanted.includes('memories') && { memories: await describeMemories(ctx, asked) }),
      ...(wanted.includes('storage') && { storage: await describeStorage(ctx, asked) }),
    }
  },
})
