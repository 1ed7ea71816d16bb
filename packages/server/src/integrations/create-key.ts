import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { invalid } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { integrationId } from './integration.ts'
import { describeKey, exampleKey, keyRecord } from './key.ts'
import { issueAgentKey } from './key-store.ts'
import { getIntegration } from './store.ts'

export const createdKey = z.looseObject({
  key: keyRecord,
  agentKey: z.string().describe('The secret. Shown only once.'),
})

export const createKey = operation({
  name: 'create-key',
  for: { person: 'POST /api/keys' },
  summary: 'Create a key for an integration. Only this answer contains its secret.',
  effect: 'write',
  changes: ['agents'],
  about: ({ integrationId: id }) => refs('integration', id),
  input: z.object({
    integrationId,
    label: z.string().min(1).max(200).optional().describe('A name for the key, 1 to 200 characters.'),
    expiresAt: fields.timestamp.optional().describe('When the key expires. Default: never.'),
  }),
  output: createdKey,
  examples: {
    input: { integrationId: exampleKey.integrationId, label: 'Laptop' },
    output: { key: exampleKey, agentKey: 'svc_…' },
  },
  created: () => true,
  async run({ integrationId: ofIntegration, label, expiresAt }, { actor: { userId }, db, instance, now }) {
    const at = now()
    const endsAt = expiresAt === undefined ? undefined : Date.parse(expiresAt)
    if (endsAt !== undefined && endsAt <= at) throw invalid({ expiresAt: 'must be in the future' })
    const { key, agentKey } = await db.write(async (tx) => {
      await lockUser(tx, userId)
      const { id } = await getIntegration(tx, instance, userId, ofIntegration)
      return issueAgentKey(tx, instance, { userId, integrationId: id, label, expiresAt: endsAt, at })
    })
    return { key: describeKey(key, at), agentKey }
  },
})
