import { z } from 'zod'
import { lockUser } from '../auth/store.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { exampleIntegration, integrationId } from './integration.ts'
import { deleteIntegration as remove } from './store.ts'

export const deleteIntegration = operation({
  name: 'delete-integration',
  for: { person: 'DELETE /api/integrations' },
  summary: 'Delete an integration with its keys and access list. The records that its agent wrote are kept.',
  effect: 'destructive',
  // The names of agents next to what they wrote, too.
  changes: ['agents', 'memories', 'tasks', 'notes', 'documents', 'messages'],
  about: ({ id }) => refs('integration', id),
  input: z.object({ id: integrationId }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: { input: { id: exampleIntegration.id }, output: { id: exampleIntegration.id, deleted: true } },
  async run({ id }, { actor: { userId }, db }) {
    await db.write(async (tx) => {
      await lockUser(tx, userId)
      await remove(tx, userId, id)
    })
    return { id, deleted: true } as const
  },
})
