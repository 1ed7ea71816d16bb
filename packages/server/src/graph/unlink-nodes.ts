import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../operation/records.ts'
import { dropLink } from './drop-link.ts'
import { exampleLink } from './link.ts'

export const unlinkNodes = operation({
  name: 'unlink-nodes',
  for: { person: 'DELETE /api/links' },
  vault: 'required',
  summary: 'Remove a link. One that stands in the text of a note goes with the text alone.',
  effect: 'destructive',
  changes: ['links'],
  about: ({ id }) => refs('link', id),
  input: z.object({ ...ownVault, id: z.uuid().describe('Id of the link.') }),
  output: z.looseObject({ id: z.uuid(), deleted: z.literal(true) }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', id: exampleLink.linkId },
    output: { id: exampleLink.linkId, deleted: true },
  },
  async run({ id }, ctx) {
    await dropLink(ctx, { linkId: id })
    return { id, deleted: true as const }
  },
})
