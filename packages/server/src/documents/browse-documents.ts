import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { documentTypes } from '../vaults/settings.ts'
import { documentType, findSources } from './document.ts'
import { describeForPerson, exampleDocument, exampleVaultId, personsDocument } from './persons-document.ts'

export const browseDocuments = operation({
  name: 'browse-documents',
  for: { person: 'GET /api/documents' },
  vault: 'required',
  summary: "A vault's documents, those that nobody has written yet as their templates.",
  effect: 'read',
  outdatedBy: ['documents'],
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
