import { z } from 'zod'
import { operatorOperation } from '../operation/operation.ts'
import { exampleSetUp, refuseSecondSetUp, setUpFields, makeOwner, setUpRecord } from './make-owner.ts'

export const operatorSetup = operatorOperation({
  name: 'operator-setup',
  method: 'POST',
  path: '/api/operator/setup',
  summary:
    'Make the owner, a vault, and a key for a first agent, once. Whoever operates the server needs no other token.',
  effect: 'write',
  input: z.object(setUpFields),
  output: setUpRecord,
  examples: exampleSetUp,
  created: () => true,
  async run(given, ctx) {
    await refuseSecondSetUp(ctx)
    return makeOwner(ctx, given)
  },
})
