import { z } from 'zod'
import { operation } from '../operation/operation.ts'
import { defaultDocument, exampleDefault, readDefaultDocuments, writeDefaultDocument } from './default-document.ts'
import { documentType, maxDocumentChars } from './document.ts'

export const editDefaultDocument = operation({
  name: 'edit-default-document',
  for: { person: 'PATCH /api/documents/defaults' },
  summary:
    'Write one of your documents for all of your vaults; each vault says by `inheritMode` whether it takes it. Former texts are kept.',
  effect: 'write',
  changes: ['documents'],
  input: z.object({
    documentType,
    content: z
      .string()
      .max(maxDocumentChars)
      .describe(
        "The text from now on, at most 100,000 characters. Empty: none, so that each vault's own text holds, or else the shipped one.",
      ),
    expectedVersion: z
      .int()
      .min(0)
      .optional()
      .describe('Fail with 409 unless the document still has this version; 0: unless you have never written it.'),
  }),
  output: z.looseObject({
    document: defaultDocument,
    updated: z.boolean().describe('False where nothing was to change.'),
  }),
  examples: {
    input: { documentType: 'soul', content: exampleDefault.content },
    output: { document: exampleDefault, updated: true },
  },
  async run({ documentType: type, content, expectedVersion }, ctx) {
    const updated = await writeDefaultDocument(ctx, { documentType: type, content, expectedVersion })
    const [document] = await readDefaultDocuments(ctx, [type])
    if (document === undefined) throw new RangeError('each document is there, be it empty')
    return { document, updated }
  },
})
