import { z } from 'zod'
import { publicOperation } from '../operation/operation.ts'
import { hasOwner } from './store.ts'

export const getSetup = publicOperation({
  name: 'get-setup',
  method: 'GET',
  path: '/api/setup',
  summary: 'Whether this instance still waits for its owner.',
  effect: 'read',
  input: z.object({}),
  output: z.looseObject({ needed: z.boolean() }),
  examples: { input: {}, output: { needed: true } },
  run: async (_input, { db }) => ({ needed: !(await hasOwner(db.read)) }),
})
