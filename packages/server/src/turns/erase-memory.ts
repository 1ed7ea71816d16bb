import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { exampleMemory } from '../memories/memory.ts'
import { purgeOne } from '../memories/purge-store.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { findSourceTurns } from './store-extracted.ts'
import { deleteTurns } from './turn-store.ts'

/** In this folder because what is deleted permanently must not stay in the turns of the conversation it comes from. */
export const eraseMemory = operation({
  name: 'erase-memory',
  for: { person: 'DELETE /api/memories' },
  vault: 'required',
  leastRole: 'admin',
  summary:
    'Permanently delete an archived or damaged memory, with its index entry and links, and the turns of conversations that it was found in.',
  effect: 'destructive',
  changes: ['memories', 'tasks', 'runs'],
  about: ({ id }) => refs('memory', id),
  input: z.object({
    ...fields.ownVault,
    id: fields.memoryId,
    withTurns: z
      .boolean()
      .default(true)
      .describe(
        'Whether to delete the turns that it was found in: they contain its words. `list-run-turns` lists them by `memoryId`. Other memories found in them stay.',
      ),
  }),
  output: z.looseObject({
    id: z.uuid(),
    deleted: z.literal(true),
    deletedTurnIds: z.array(z.uuid()).describe('The turns that were deleted with it.'),
  }),
  returns: ({ deletedTurnIds }) => refs('turn', deletedTurnIds),
  examples: {
    input: { vaultId: exampleMemory.vaultId, id: exampleMemory.memoryId },
    output: { id: exampleMemory.memoryId, deleted: true, deletedTurnIds: [] },
  },
  async run({ id, withTurns }, { db, vault, now }) {
    const turnIds = withTurns ? await findSourceTurns(db.read, vault, id) : []
    let deletedTurnIds: string[] = []
    await purgeOne(db, vault, id, {
      at: now(),
      alongside: async (tx) => void (deletedTurnIds = await deleteTurns(tx, vault, turnIds)),
    })
    return { id, deleted: true, deletedTurnIds } as const
  },
})
