import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { integrationId } from './integration.ts'
import { describeKey, exampleKey, keyId, keyRecord } from './key.ts'
import { getAgentKey, listAgentKeys } from './key-store.ts'
import { listGrantRequests } from './oauth/grant-store.ts'

export const keyList = z.looseObject({ keys: z.array(keyRecord), ...page })

export const listKeys = operation({
  name: 'list-keys',
  for: { person: 'GET /api/keys' },
  summary: 'List your agent keys without their secrets, newest first, or return one by id.',
  effect: 'read',
  outdatedBy: ['agents'],
  about: ({ id }) => refs('key', id),
  input: z.object({
    id: keyId.optional().describe('Return only this key, as `key`.'),
    integrationId: integrationId.optional().describe('Only keys of this integration.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.union([keyList, z.looseObject({ key: keyRecord })]),
  examples: { input: {}, output: { keys: [exampleKey], total: 1, limit: 20, offset: 0, hasMore: false } },
  async run({ id, integrationId: ofIntegration, limit, offset }, { actor: { userId }, db, instance, lastUsed, now }) {
    // Users wait here for an agent's first call.
    await lastUsed.flush({ table: 'agentKeys', userId })
    const requestsOf = (ids: string[]) => listGrantRequests(db.read, instance, userId, ids)
    if (id !== undefined) {
      const key = await getAgentKey(db.read, instance, userId, id)
      return { key: describeKey(key, now(), (await requestsOf([id])).get(id)) }
    }
    const wanted = { integrationId: ofIntegration, limit, offset }
    const { keys, total } = await listAgentKeys(db.read, instance, userId, wanted)
    const requests = await requestsOf(keys.map((key) => key.id))
    return { keys: keys.map((key) => describeKey(key, now(), requests.get(key.id))), ...pageOf(wanted, total) }
  },
})
