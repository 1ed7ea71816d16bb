import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import type { LinkChoice } from '../links/store.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../operation/records.ts'
import { dropLink } from './drop-link.ts'
import { exampleLink, relationType } from './link.ts'

const input = z.object({
  linkId: z.uuid().optional().describe('Id of the link. In its place: sourceId, targetId and relationType, all three.'),
  sourceId: z.uuid().optional().describe('Id of the note or memory that the link begins at.'),
  targetId: z.uuid().optional().describe('Id of the note or memory that it points to.'),
  relationType: relationType.optional().describe('What the source is to the target.'),
  ...fields.inVault,
})

export const removeLink = operation({
  name: 'remove-link',
  for: { agent: { scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Remove a link between two notes or memories.',
  effect: 'destructive',
  changes: ['links'],
  about: ({ linkId }) => refs('link', linkId),
  alias: 'linkId',
  input,
  output: z.looseObject({
    linkId: z.uuid(),
    removed: z.boolean().describe('False where it had been removed before.'),
    vaultId: z.uuid(),
  }),
  returns: ({ linkId }) => refs('link', linkId),
  examples: {
    input: { linkId: exampleLink.linkId },
    output: { linkId: exampleLink.linkId, removed: true, vaultId: '0198c5f0-0000-7000-8000-000000000001' },
  },
  async run(request, ctx) {
    const { linkId, removed } = await dropLink(ctx, choiceOf(request))
    return { linkId, removed, vaultId: ctx.vault.id }
  },
})

function choiceOf({ linkId, sourceId, targetId, relationType: relation }: z.output<typeof input>): LinkChoice {
  if (linkId !== undefined) return { linkId, sourceId, targetId, relationType: relation }
  if (sourceId !== undefined && targetId !== undefined && relation !== undefined)
    return { sourceId, targetId, relationType: relation }
  throw invalid({ linkId: 'is needed, or else sourceId, targetId and relationType' })
}
