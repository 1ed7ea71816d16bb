import { z } from 'zod'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { lockUser } from '../auth/store.ts'
import { writerOf } from '../operation/claimed-agent.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { trustOfActor } from '../operation/writer.ts'
import { documentType, maxDocumentChars } from './document.ts'
import { defaultDocument, exampleDefault, readDefaultDocuments } from './list-default-documents.ts'
import { findDocuments } from './store.ts'
import { refuseTwoTexts, restoreText, storeText } from './update-document.ts'

export const updateDefaultDocument = operation({
  name: 'update-default-document',
  for: { person: 'PATCH /api/documents/defaults' },
  summary:
    "Write one of your documents for all your vaults. The `inheritMode` of a vault's document decides whether its agents read it. Older versions are kept.",
  effect: 'write',
  errors: ['not_found'],
  changes: ['documents'],
  input: z.object({
    documentType,
    content: z
      .string()
      .max(maxDocumentChars)
      .optional()
      .describe(
        "The new text, at most 100,000 characters. An empty text removes it. Each vault's own text then applies, or the template. Required unless fromVersion is given.",
      ),
    fromVersion: fields.fromVersion,
    expectedVersion: z
      .int()
      .min(0)
      .optional()
      .describe('Fail with 409 unless the document still has this version. 0 means that you have never written it.'),
  }),
  needs: [['content'], ['fromVersion']],
  output: z.looseObject({
    document: defaultDocument,
    updated: z.boolean().describe('False if there was nothing to change.'),
  }),
  examples: {
    input: { documentType: 'soul', content: exampleDefault.content },
    output: { document: exampleDefault, updated: true },
  },
  async run({ documentType: type, content, fromVersion, expectedVersion }, ctx) {
    refuseTwoTexts({ content, fromVersion })
    const { db, keyring, mek } = ctx
    const { userId } = ctx.actor
    const change = { writer: writerOf(ctx), trust: trustOfActor(ctx.actor), expectedVersion }
    const { updated } = await db.write(async (tx) => {
      await lockUser(tx, userId)
      // The first document creates the key for everything outside of vaults.
      const keys = await ensurePrivateScope(tx, keyring, { userId, mek }, change.writer.at)
      const scope = { id: userId, userId, keys }
      const [before] = await findDocuments(tx, scope, [type])
      return fromVersion === undefined
        ? storeText(tx, scope, before, { ...change, documentType: type, text: content ?? '' })
        : restoreText(tx, scope, before, { ...change, fromVersion })
    })
    const [document] = await readDefaultDocuments(ctx, [type])
    if (document === undefined) throw new RangeError('every document type has a document')
    return { document, updated }
  },
})
