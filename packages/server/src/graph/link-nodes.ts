import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../operation/records.ts'
import { describeLink, exampleLink, linkFields, linkRecord } from './link.ts'
import { makeLink } from './make-link.ts'

const { sourceType, sourceId, targetType, targetId, relationType } = exampleLink

export const linkNodes = operation({
  name: 'link-nodes',
  for: { person: 'POST /api/links' },
  vault: 'required',
  summary: 'Link two notes or memories of one vault.',
  effect: 'write',
  changes: ['links'],
  input: z.object({ ...ownVault, ...linkFields }),
  output: z.looseObject({
    link: linkRecord,
    created: z.boolean().describe('False where there was this link already; its label stays as it was.'),
  }),
  returns: ({ link }) => refs('link', link.linkId),
  examples: {
    input: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      sourceType,
      sourceId,
      targetType,
      targetId,
      relationType,
    },
    output: { link: { ...exampleLink, label: null, origin: 'dashboard' }, created: true },
  },
  created: ({ created }) => created,
  async run({ vaultId: _vault, ...wanted }, ctx) {
    const { link, created } = await makeLink(ctx, { ...wanted, origin: 'dashboard' })
    return { link: describeLink(link), created }
  },
})
