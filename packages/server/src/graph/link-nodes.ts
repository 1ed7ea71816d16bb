import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { describeLink, exampleLink, linkFields, linkRecord } from './link.ts'
import { makeLink } from './make-link.ts'

const { sourceType, sourceId, targetType, targetId, relationType } = exampleLink

export const linkNodes = dashboardVaultOperation({
  name: 'link-nodes',
  method: 'POST',
  path: '/api/links',
  summary: 'Link two notes or memories of one vault.',
  effect: 'write',
  input: z.object({ ...ownVault, ...linkFields }),
  output: z.looseObject({
    link: linkRecord,
    created: z.boolean().describe('False where there was this link already; its label stays as it was.'),
  }),
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
