import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { documentTypes } from '../vaults/settings.ts'
import { documentType } from './document.ts'
import { findDocuments } from './store.ts'
import { inheritModes, shippedRules } from './templates.ts'
import { expectedDocumentVersion, writeDocument } from './update-document.ts'

/** For people only: an agent must not change what it may change. */
export const updateDocumentRules = operation({
  name: 'update-document-rules',
  for: { person: 'PATCH /api/documents/rules' },
  vault: 'required',
  leastRole: 'admin',
  summary: "Change who may edit one of a vault's documents, and whether it inherits your text for all vaults.",
  effect: 'write',
  changes: ['documents'],
  input: z.object({
    ...fields.ownVault,
    documentType,
    inheritMode: z
      .enum(inheritModes)
      .optional()
      .describe(
        "none: only the vault's text; inherit: your text for all vaults if the vault has none; merge: your text, then the vault's.",
      ),
    agentEditable: z.boolean().optional().describe('Whether agents may change it.'),
    appendOnly: z.boolean().optional().describe('Whether agents may only add to it.'),
    expectedVersion: expectedDocumentVersion,
  }),
  output: z.looseObject({
    documentType: z.enum(documentTypes),
    updated: z.boolean().describe('False if there was nothing to change.'),
    inheritMode: z.enum(inheritModes),
    agentEditable: z.boolean(),
    appendOnly: z.boolean(),
    version: z.int().describe("Version of the vault's own text and rules; 0 if it never had any."),
    vaultId: z.uuid(),
  }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', documentType: 'checks', appendOnly: true },
    output: {
      documentType: 'checks',
      updated: true,
      ...shippedRules.checks,
      appendOnly: true,
      version: 1,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
    },
  },
  async run({ vaultId, documentType: type, expectedVersion, ...rules }, ctx) {
    const { updated } = await writeDocument(ctx, { documentType: type, mode: 'replace', rules, expectedVersion })
    const [document] = await findDocuments(ctx.db.read, ctx.vault, [type])
    return {
      documentType: type,
      updated,
      ...(document?.rules ?? shippedRules[type]),
      version: document?.version ?? 0,
      vaultId,
    }
  },
})
