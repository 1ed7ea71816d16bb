import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { documentRecord, documentType, readDocuments } from './document.ts'
import { shippedRules, templates } from './templates.ts'

export const readDocument = operation({
  name: 'read-document',
  for: { agent: { toolset: 'documents', scopes: ['read'] } },
  vault: 'required',
  summary: "Read one of a vault's documents: soul, instructions, skills or checks.",
  effect: 'read',
  input: z.object({ documentType, vaultId: fields.vaultId.describe('The vault.'), ...fields.common }),
  output: documentRecord,
  examples: {
    input: { documentType: 'checks', vaultId: '0198c5f0-0000-7000-8000-000000000001' },
    output: {
      documentType: 'checks',
      content: templates.checks.content,
      ...shippedRules.checks,
      templateVersion: 1,
      isTemplate: true,
      version: 0,
      updatedAt: null,
      agentId: null,
      source: null,
      changedBy: null,
      removedBy: null,
    },
  },
  async run({ documentType: type }, ctx) {
    const [document] = await readDocuments(ctx, [type])
    if (document === undefined) throw new RangeError('every document type has a document')
    return document
  },
})
