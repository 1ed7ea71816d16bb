import { z } from 'zod'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { documentType, findSources, maxDocumentChars } from './document.ts'
import { describeForPerson, exampleDocument, exampleVaultId, personsDocument } from './persons-document.ts'
import { inheritModes } from './rules.ts'
import { writeDocument } from './write-document.ts'

export const editDocument = operation({
  name: 'edit-document',
  for: { person: 'PATCH /api/documents' },
  vault: 'required',
  summary: "Write one of a vault's documents, or say who may change it. Former texts are kept.",
  effect: 'write',
  changes: ['documents'],
  input: z.object({
    ...ownVault,
    documentType,
    content: z
      .string()
      .max(maxDocumentChars)
      .optional()
      .describe(
        "The vault's own text from now on, at most 100,000 characters. Empty: none, so that what it inherits holds, or else the shipped text.",
      ),
    inheritMode: z
      .enum(inheritModes)
      .optional()
      .describe(
        "none: the vault's text alone; inherit: what you wrote for all vaults, where it has none; merge: that first, then the vault's.",
      ),
    agentEditable: z.boolean().optional().describe('Whether agents may change it.'),
    appendOnly: z.boolean().optional().describe('Whether agents may only add to it.'),
    expectedVersion: z
      .int()
      .min(0)
      .optional()
      .describe(
        "Fail with 409 unless the vault's own text and rules still have this version; 0: unless it has never written any. What is written for all vaults does not count.",
      ),
  }),
  output: z.looseObject({
    document: personsDocument,
    updated: z.boolean().describe('False where nothing was to change.'),
  }),
  examples: {
    input: { vaultId: exampleVaultId, documentType: 'checks', content: '# Checks\n', appendOnly: true },
    output: {
      document: {
        ...exampleDocument,
        content: '# Checks\n',
        ownContent: '# Checks\n',
        appendOnly: true,
        isTemplate: false,
        version: 1,
        agentId: 'user',
        updatedAt: '2026-11-21T09:00:00.000Z',
      },
      updated: true,
    },
  },
  async run({ documentType: type, content, expectedVersion, inheritMode, agentEditable, appendOnly }, ctx) {
    const rules = {
      ...(inheritMode !== undefined && { inheritMode }),
      ...(agentEditable !== undefined && { agentEditable }),
      ...(appendOnly !== undefined && { appendOnly }),
    }
    const change = { documentType: type, content, mode: 'replace' as const, rules, expectedVersion }
    const isAsked = content !== undefined || Object.keys(rules).length > 0
    const { updated } = isAsked ? await writeDocument(ctx, change) : { updated: false }
    const [document] = (await findSources(ctx, [type])).map(describeForPerson)
    if (document === undefined) throw new RangeError('each document is there, be it as a template')
    return { document, updated }
  },
})
