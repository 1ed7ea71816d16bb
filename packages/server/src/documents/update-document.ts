import { z } from 'zod'
import { isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { documentTypes } from '../vaults/settings.ts'
import { documentType, maxDocumentChars } from './document.ts'
import { writeDocument, writeModes } from './write-document.ts'

export const updateDocument = operation({
  name: 'update-document',
  for: { agent: { scopes: ['write'] } },
  vault: 'required',
  summary: "Write one of a vault's documents, or add to it. Former texts are kept.",
  effect: 'write',
  changes: ['documents'],
  input: z.object({
    documentType,
    content: z
      .string()
      .max(maxDocumentChars)
      .describe(
        'The text, or what is added to it; at most 100,000 characters, also once it is added. Empty, as a replacement: none of its own, so that what the vault inherits holds, or else the shipped text.',
      ),
    mode: z
      .enum(writeModes)
      .default('replace')
      .describe(
        'append adds the content on a line of its own behind what read-document shows; a vault that inherits nothing (inheritMode none) and took its text away begins anew.',
      ),
    expectedVersion: z
      .int()
      .min(0)
      .optional()
      .describe(
        "Fail with 409 unless the vault's own text and rules still have this version; 0: unless it has never written any. What is written for all vaults does not count.",
      ),
    vaultId: fields.vaultId.describe('The vault.'),
    ...fields.common,
  }),
  output: z.looseObject({
    documentType: z.enum(documentTypes),
    updated: z.boolean().describe('False where nothing was to change.'),
    version: z.int().describe("Of the vault's own text and rules; 0 where it has never written any."),
    vaultId: z.uuid(),
    length: z.int().describe("Characters of the vault's own text."),
    updatedAt: fields.timestamp.nullable().describe("When the vault's own text or rules were changed last."),
  }),
  examples: {
    input: {
      documentType: 'checks',
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      content: '# Checks\n\n- [ ] The tests pass.\n- [ ] The changelog names what users will notice.\n',
    },
    output: {
      documentType: 'checks',
      updated: true,
      version: 3,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      length: 84,
      updatedAt: '2026-11-21T09:00:00.000Z',
    },
  },
  async run({ vaultId, ...change }, ctx) {
    const { document, length, updated } = await writeDocument(ctx, change)
    return {
      documentType: change.documentType,
      updated,
      version: document?.version ?? 0,
      vaultId,
      length: updated ? length : (document?.content.length ?? 0),
      updatedAt: isoTimeOrNull(document?.updatedAt),
    }
  },
})
