import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { describeRootKey, exampleRootKey, rootKeyRecord } from './root-key.ts'

export const readRootKey = operation({
  name: 'read-root-key',
  for: { person: 'GET /api/system/root-key' },
  summary:
    'Where the root key came from, since when it is in use, and whether a change of it is unfinished. For the owner alone.',
  effect: 'read',
  outdatedBy: ['agents'],
  input: z.object({}),
  output: z.looseObject({ rootKey: rootKeyRecord.nullable().describe('Null for those who are not the owner.') }),
  examples: { input: {}, output: { rootKey: exampleRootKey } },
  run: async (_input, ctx) => ({ rootKey: ctx.actor.isOwner ? await describeRootKey(ctx) : null }),
})
