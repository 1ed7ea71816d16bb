import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { invalid } from '../core/errors.ts'
import { dayMs } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { proofOfLastingAccess, proveIfGiven, requireProof } from '../sign-in/prove-identity.ts'
import { hasLastingRights } from './lasting-rights.ts'
import { integrationId } from './integration.ts'
import { describeKey, exampleKey, keyRecord } from './key.ts'
import { allow, authorizationRequest, checkRequest } from './oauth/authorization.ts'
import { issueAgentKey } from './key-store.ts'
import { getIntegration } from './store.ts'

/** A key that people copy. */
export const createdKey = z.looseObject({
  key: keyRecord,
  agentKey: z.string().describe('The secret. Shown only once. Missing if you gave `authorization`.'),
})

/** A day more than the 90 days of the dashboard's keys, because clocks differ. */
const briefMs = 91 * dayMs

export const createKey = operation({
  name: 'create-key',
  for: { person: 'POST /api/keys' },
  summary:
    'Create a key for an integration, or allow a program that asks with OAuth. Only this answer contains the secret.',
  effect: 'write',
  changes: ['agents'],
  about: ({ integrationId: id }) => refs('integration', id),
  input: z.object({
    integrationId,
    label: fields.shownName(200).optional().describe('A name for the key, 1 to 200 characters.'),
    expiresAt: fields.timestamp.optional().describe('When the key expires. Default: never.'),
    authorization: authorizationRequest.optional(),
    ...proofOfLastingAccess,
  }),
  output: createdKey.partial({ agentKey: true }).extend({
    redirectTo: z
      .string()
      .optional()
      .describe('If you gave `authorization`: where the browser takes the code, which is valid for a minute.'),
  }),
  examples: {
    input: { integrationId: exampleKey.integrationId, label: 'Laptop' },
    output: { key: exampleKey, agentKey: 'svc_…' },
  },
  created: () => true,
  async run({ integrationId: ofIntegration, label, expiresAt, authorization, ...proof }, ctx) {
    const { actor, db, instance, now } = ctx
    const { userId } = actor
    const at = now()
    const endsAt = expiresAt === undefined ? undefined : Date.parse(expiresAt)
    if (endsAt !== undefined && endsAt <= at) throw invalid({ expiresAt: 'must be in the future' })
    const isBrief = endsAt !== undefined && endsAt - at <= briefMs
    if (authorization !== undefined && endsAt !== undefined)
      throw invalid({ expiresAt: 'leave it out: access with OAuth ends after 90 days without use' })
    const caller = { userId, host: ctx.request.host }
    const checked = authorization && (await checkRequest(ctx, caller, authorization))
    const proven = await proveIfGiven(ctx, proof)
    const { key, ...issued } = await db.write(async (tx) => {
      await lockUser(tx, userId)
      const integration = await getIntegration(tx, instance, userId, ofIntegration)
      const { writePolicy } = integration.profile
      if (!isBrief || hasLastingRights({ ...integration, writePolicy })) await requireProof(tx, actor, proven)
      const owner = { userId, integrationId: integration.id, at }
      if (checked !== undefined) return allow(tx, instance, checked, { ...owner, label })
      return issueAgentKey(tx, instance, { ...owner, label, expiresAt: endsAt })
    })
    const connection = checked && { clientName: checked.client.name, redirectUri: checked.request.redirectUri }
    return { key: describeKey(key, at, connection), ...issued }
  },
})
