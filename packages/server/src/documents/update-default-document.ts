import { z } from 'zod'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { lockUser } from '../auth/store.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import { operation } from '../operation/operation.ts'
import { documentType, maxDocumentChars } from './document.ts'
import { defaultDocument, exampleDefault, readDefaultDocuments } from './list-default-documents.ts'
import { findDocuments } from './store.ts'
import { storeText } from './update-document.ts'

export const updateDefaultDocument = operation({
  name: 'update-default-document',
  for: { person: 'PATCH /api/documents/defaults' },
  summary:
    "Write one of your documents for all your vaults. The `inheritMode` of a vault's document decides whether its agents read it. Older versions are kept.",
  effect: 'write',
  changes: ['documents'],
  input: z.object({
    documentType,
    content: z
      .string()
      .max(maxDocumentChars)
      .describe(
        "The new text, at most 100,000 characters. An empty text removes it. Each vault's own text then applies, or the template.",
      ),
    expectedVersion: z
      .int()
      .min(0)
      .optional()
      .describe('Fail with 409 unless the document still has this version. 0 means that you have never written it.'),
  }),
  output: z.looseObject({
    document: defaultDocument,
    updated: z.boolean().describe('False if there was nothing to change.'),
  }),
  examples: {
    input: { documentType: 'soul', content: exampleDefault.content },
    output: { document: exampleDefault, updated: true },
  },
  async run({ documentType: type, content, expectedVersion }, ctx) {
    const { db, keyring, mek } = ctx
    const { userId, mekVersion } = ctx.actor
    const author = { agentId: claimedAgentId(ctx, undefined) }
    const { updated } = await db.write(async (tx) => {
      await lockUser(tx, userId)
      const at = ctx.now()
      // The first document creates the key for everything outside of vaults.
      const keys = await ensurePrivateScope(tx, keyring, { userId, mek, mekVersion }, at)
      const scope = { id: userId, userId, keys }
      const [before] = await findDocuments(tx, scope, [type])
      return storeText(tx, scope, before, { documentType: type, text: content, expectedVersion, author, at })
    })
    const [document] = await readDefaultDocuments(ctx, [type])
    if (document === undefined) throw new RangeError('every document type has a document')
    return { document, updated }
  },
})
