import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { documentTypes } from '../vaults/settings.ts'
import { defaultDocument, exampleDefault, readDefaultDocuments } from './default-document.ts'
import { documentType } from './document.ts'

export const browseDefaultDocuments = operation({
  name: 'browse-default-documents',
  for: { person: 'GET /api/documents/defaults' },
  summary: 'What you have written for all of your vaults.',
  effect: 'read',
  outdatedBy: ['documents'],
  input: z.object({ documentType: documentType.optional().describe('Only this one. Default: all four.') }),
  output: z.looseObject({ documents: z.array(defaultDocument) }),
  examples: { input: { documentType: 'soul' }, output: { documents: [exampleDefault] } },
  async run({ documentType: type }, ctx) {
    return { documents: await readDefaultDocuments(ctx, type === undefined ? documentTypes : [type]) }
  },
})
