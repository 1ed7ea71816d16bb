import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { exampleIntegration, integrationId } from '../integrations/integration.ts'
import { getIntegration } from '../integrations/store.ts'
import { exampleMemory } from '../memories/memory.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { deleteDecision, insertDecision } from './decision-store.ts'

export const trustIntegration = operation({
  name: 'trust-integration',
  for: { person: 'POST /api/review/trust' },
  vault: 'required',
  leastRole: 'owner',
  summary:
    'Accept the low-confidence memories that an agent writes into a vault: they need no review. Their confidence stays unchanged.',
  effect: 'write',
  changes: ['agents'],
  about: ({ integrationId: id }) => refs('integration', id),
  input: z.object({
    ...fields.ownVault,
    integrationId,
    trusted: z.boolean().describe('false: its low-confidence memories need a review again.'),
  }),
  output: z.looseObject({ integrationId: z.uuid(), trusted: z.boolean() }),
  examples: {
    input: { vaultId: exampleMemory.vaultId, integrationId: exampleIntegration.id, trusted: true },
    output: { integrationId: exampleIntegration.id, trusted: true },
  },
  async run({ integrationId: id, trusted }, { actor, db, instance, vault, now }) {
    await db.write(async (tx) => {
      // The lock keeps the integration from being deleted in the meantime.
      await lockUser(tx, actor.userId)
      if (trusted) await getIntegration(tx, instance, actor.userId, id)
      await lockVault(tx, vault)
      if (trusted) await insertDecision(tx, vault, { kind: 'agent', looked: [id], at: now() })
      else await deleteDecision(tx, vault, 'agent', [id])
    })
    return { integrationId: id, trusted }
  },
})
