import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { describeIntegration, exampleIntegration, integrationId, integrationRecord } from './integration.ts'
import { countAgentKeys } from './key-store.ts'
import { getIntegration, listIntegrations as listStored } from './store.ts'

export const integrationList = z.looseObject({ integrations: z.array(integrationRecord), ...page })

export const listIntegrations = operation({
  name: 'list-integrations',
  for: { person: 'GET /api/integrations' },
  summary: 'List your integrations, newest first, or return one by id.',
  effect: 'read',
  outdatedBy: ['agents'],
  about: ({ id }) => refs('integration', id),
  input: z.object({
    id: integrationId.optional().describe('Return only this integration, as `integration`.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.union([integrationList, z.looseObject({ integration: integrationRecord })]),
  examples: {
    input: {},
    output: { integrations: [exampleIntegration], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ id, limit, offset }, { actor: { userId }, db, instance, lastUsed, now }) {
    // Users wait here for an agent's first call.
    await lastUsed.flush({ table: 'agentKeys', userId })
    const uses = await countAgentKeys(db.read, userId, now())
    if (id !== undefined) {
      const integration = await getIntegration(db.read, instance, userId, id)
      return { integration: describeIntegration(integration, uses.get(id)) }
    }
    const { integrations, total } = await listStored(db.read, instance, userId, { limit, offset })
    return {
      integrations: integrations.map((integration) => describeIntegration(integration, uses.get(integration.id))),
      ...pageOf({ limit, offset }, total),
    }
  },
})
