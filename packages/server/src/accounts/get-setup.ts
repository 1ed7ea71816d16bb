import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { hasOwner } from './store.ts'

export const getSetup = operation({
  name: 'get-setup',
  for: { anyone: 'GET /api/setup' },
  summary: 'Whether this instance still waits for its owner.',
  effect: 'read',
  input: z.object({}),
  output: z.looseObject({ needed: z.boolean() }),
  examples: { input: {}, output: { needed: true } },
  run: async (_input, { db }) => ({ needed: !(await hasOwner(db.read)) }),
})
