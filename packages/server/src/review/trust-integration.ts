import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { notFound } from '../core/errors.ts'
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
  summary:
    'Accept what an agent writes into a vault also where it is hardly sure: nothing of it waits for a judgement for that. What it wrote keeps its confidence.',
  effect: 'write',
  changes: ['agents'],
  about: ({ integrationId: id }) => refs('integration', id),
  input: z.object({
    ...fields.ownVault,
    integrationId,
    trusted: z.boolean().describe('false: what it is hardly sure of waits again.'),
  }),
  output: z.looseObject({ integrationId: z.uuid(), trusted: z.boolean() }),
  examples: {
    input: { vaultId: exampleMemory.vaultId, integrationId: exampleIntegration.id, trusted: true },
    output: { integrationId: exampleIntegration.id, trusted: true },
  },
  async run({ integrationId: id, trusted }, { actor, db, instance, vault, now }) {
    await db.write(async (tx) => {
      // With the lock, so that nobody deletes it meanwhile.
      await lockUser(tx, actor.userId)
      if (trusted) await getIntegration(tx, instance, actor.userId, id)
      // Of a vault that is being erased nothing new is written.
      if (!(await lockVault(tx, vault.userId, vault.id))) throw notFound('Vault')
      if (trusted) await insertDecision(tx, vault, { kind: 'agent', looked: [id], at: now() })
      else await deleteDecision(tx, vault, 'agent', [id])
    })
    return { integrationId: id, trusted }
  },
})
