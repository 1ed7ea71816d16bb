import { z } from 'zod'
import { dashboardOperation } from '../operation/operation.ts'
import { exampleKey, keyId } from './key.ts'
import { revokeAgentKey } from './key-store.ts'

export const revokeKey = dashboardOperation({
  name: 'revoke-key',
  method: 'DELETE',
  path: '/api/keys',
  summary: 'Revoke a key: it is refused from this answer on. It stays in the list, marked.',
  effect: 'destructive',
  input: z.object({ id: keyId }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: { input: { id: exampleKey.id }, output: { id: exampleKey.id, deleted: true } },
  async run({ id }, { actor: { userId }, db, now }) {
    await db.write((tx) => revokeAgentKey(tx, userId, id, now()))
    return { id, deleted: true } as const
  },
})
