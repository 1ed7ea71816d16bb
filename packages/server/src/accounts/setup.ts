import { z } from 'zod'
import { unauthenticated } from '../core/errors.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleSetUp, refuseSecondSetUp, setUpFields, makeOwner, setUpRecord } from './make-owner.ts'

export const setup = operation({
  name: 'setup',
  for: { anyone: 'POST /api/setup' },
  summary: 'Make the owner, a vault, and a key for a first agent, once, with the one-time token of the start.',
  effect: 'write',
  changes: ['account'],
  input: z.object({
    token: z.string().max(200).describe('The set-up token, from the file that the server names at its start.'),
    ...setUpFields,
  }),
  output: setUpRecord,
  returns: ({ userId }) => refs('user', userId),
  examples: { input: { token: 'hfs_…', ...exampleSetUp.input }, output: exampleSetUp.output },
  created: () => true,
  async run({ token, ...given }, ctx) {
    await refuseSecondSetUp(ctx)
    if (!ctx.setupToken.accepts(token)) throw unauthenticated('set-up token')
    return makeOwner(ctx, given)
  },
})
