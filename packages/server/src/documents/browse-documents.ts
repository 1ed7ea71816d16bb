import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { documentTypes } from '../vaults/settings.ts'
import { documentType, findSources } from './document.ts'
import { describeForPerson, exampleDocument, exampleVaultId, personsDocument } from './persons-document.ts'

export const browseDocuments = dashboardVaultOperation({
  name: 'browse-documents',
  method: 'GET',
  path: '/api/documents',
  summary: "A vault's documents, those that nobody has written yet as their templates.",
  effect: 'read',
  input: z.object({ ...ownVault, documentType: documentType.optional().describe('Only this one. Default: all four.') }),
  output: z.looseObject({ documents: z.array(personsDocument) }),
  examples: {
    input: { vaultId: exampleVaultId, documentType: 'checks' },
    output: { documents: [exampleDocument] },
  },
  async run({ documentType: type }, ctx) {
    const sources = await findSources(ctx, type === undefined ? documentTypes : [type])
    return { documents: sources.map(describeForPerson) }
  },
})
