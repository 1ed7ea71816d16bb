import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../operation/records.ts'
import { exampleLink, linkFields, relationType } from './link.ts'
import { makeLink } from './make-link.ts'
import { nodeType } from './nodes.ts'

const { linkId, sourceType, sourceId, targetType, targetId, relationType: exampleRelation, label } = exampleLink
const exampleTriple = { sourceType, sourceId, targetType, targetId, relationType: exampleRelation }

export const addLink = operation({
  name: 'add-link',
  for: { agent: { scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Link two notes or memories of one vault.',
  effect: 'write',
  changes: ['links'],
  input: z.object({
    ...linkFields,
    externalWriteId: fields.externalWriteId,
    ...fields.inVault,
  }),
  output: z.looseObject({
    linkId: z.uuid(),
    created: z.boolean().describe('False where there was this link already; its label stays as it was.'),
    idempotent: z
      .boolean()
      .describe(
        'True where there was this link already, whoever made it, or one of the same externalWriteId: nothing was changed.',
      ),
    sourceType: nodeType,
    sourceId: z.uuid(),
    targetType: nodeType,
    targetId: z.uuid(),
    relationType,
    vaultId: z.uuid(),
  }),
  returns: ({ linkId: id }) => refs('link', id),
  examples: {
    input: { ...exampleTriple, label: label ?? undefined },
    output: {
      linkId,
      created: true,
      idempotent: false,
      ...exampleTriple,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
    },
  },
  created: ({ created }) => created,
  async run({ vaultId: _vault, ...input }, ctx) {
    const { link, created, idempotent } = await makeLink(ctx, { ...input, origin: 'agent' })
    const { label: _label, origin: _origin, createdAt: _at, ...shown } = link
    return { ...shown, created, idempotent, vaultId: ctx.vault.id }
  },
})
