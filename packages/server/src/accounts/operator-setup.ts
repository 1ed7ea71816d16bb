import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleSetUp, refuseSecondSetUp, setUpFields, makeOwner, setUpRecord } from './make-owner.ts'

export const operatorSetup = operation({
  name: 'operator-setup',
  for: { operator: 'POST /api/operator/setup' },
  summary:
    'Make the owner, a vault, and a key for a first agent, once. Whoever operates the server needs no other token.',
  effect: 'write',
  changes: ['account'],
  input: z.object(setUpFields),
  output: setUpRecord,
  examples: exampleSetUp,
  created: () => true,
  returns: ({ userId }) => refs('user', userId),
  async run(given, ctx) {
    await refuseSecondSetUp(ctx)
    return makeOwner(ctx, given)
  },
})
