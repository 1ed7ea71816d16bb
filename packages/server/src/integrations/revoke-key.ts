import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleKey, keyId } from './key.ts'
import { revokeAgentKey } from './key-store.ts'

export const revokeKey = operation({
  name: 'revoke-key',
  for: { person: 'DELETE /api/keys' },
  summary: 'Revoke a key immediately. It stays in the list, marked as revoked.',
  effect: 'destructive',
  changes: ['agents'],
  about: ({ id }) => refs('key', id),
  input: z.object({ id: keyId }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: { input: { id: exampleKey.id }, output: { id: exampleKey.id, deleted: true } },
  async run({ id }, { actor: { userId }, db, now }) {
    await db.write((tx) => revokeAgentKey(tx, userId, id, now()))
    return { id, deleted: true } as const
  },
})
