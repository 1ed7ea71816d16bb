import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { notFound } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { deleteTurns } from './turn-store.ts'

const exampleId = '0198c5f0-0000-7000-8000-000000000701'

export const eraseTurn = operation({
  name: 'erase-turn',
  for: { person: 'DELETE /api/runs/turns' },
  vault: 'required',
  leastRole: 'admin',
  summary: 'Permanently delete a turn of a conversation. Memories found in it stay.',
  effect: 'destructive',
  changes: ['runs'],
  about: ({ id }) => refs('turn', id),
  input: z.object({ ...fields.ownVault, id: z.uuid().describe('The `turnId`, from list-run-turns.') }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', id: exampleId },
    output: { id: exampleId, deleted: true },
  },
  async run({ id }, { db, vault }) {
    const [deleted] = await db.write((tx) => deleteTurns(tx, vault, [id.toLowerCase()]))
    if (deleted === undefined) throw notFound('Turn')
    return { id, deleted: true } as const
  },
})
