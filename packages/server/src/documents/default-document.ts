import { z } from 'zod'
import { ensurePrivateScope } from '../auth/private-scope-store.ts'
import { lockUser } from '../auth/store.ts'
import { isoTimeOrNull } from '../core/time.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import type { PersonContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { documentTypes, type DocumentType } from '../vaults/settings.ts'
import { findDefaultDocuments, findDocuments } from './store.ts'
import { templates } from './templates.ts'
import { storeText } from './write-document.ts'

/** What a person has written for all of their vaults; each vault's rules say whether it is read there. */
export const defaultDocument = z
  .looseObject({
    documentType: z.enum(documentTypes),
    content: z.string().describe('Your text for all of your vaults; empty where you have none.'),
    version: z.int().describe('0 where you have never written it.'),
    agentId: z.string().nullable().describe('Who wrote it last; "user" is you.'),
    updatedAt: fields.timestamp.nullable(),
    template: z.string().describe('The text that came with this version, to begin from.'),
  })
  .meta({ id: 'DefaultDocument' })

export type DefaultDocument = z.infer<typeof defaultDocument>

/** In the order asked. */
export async function readDefaultDocuments(
  ctx: PersonContext,
  types: readonly DocumentType[],
): Promise<DefaultDocument[]> {
  const found = await findDefaultDocuments(ctx, types)
  return types.map((type) => {
    const document = found.find(({ documentType }) => documentType === type)
    return {
      documentType: type,
      content: document?.content ?? '',
      version: document?.version ?? 0,
      agentId: document?.author.agentId ?? null,
      updatedAt: isoTimeOrNull(document?.updatedAt),
      template: templates[type].content,
    }
  })
}

interface DefaultDocumentChange {
  documentType: DocumentType
  content: string
  expectedVersion: number | undefined
}

/** False where nothing was to change. The key that it is sealed under is made with the first of them. */
export async function writeDefaultDocument(
  ctx: PersonContext,
  { documentType, content, expectedVersion }: DefaultDocumentChange,
): Promise<boolean> {
  const { db, keyring, mek } = ctx
  const { userId, mekVersion } = ctx.actor
  const author = { agentId: claimedAgentId(ctx, undefined) }
  const { updated } = await db.write(async (tx) => {
    await lockUser(tx, userId)
    const at = ctx.now()
    const keys = await ensurePrivateScope(tx, keyring, { userId, mek, mekVersion }, at)
    const scope = { id: userId, userId, keys }
    const [before] = await findDocuments(tx, scope, [documentType])
    return storeText(tx, scope, before, { documentType, text: content, expectedVersion, author, at })
  })
  return updated
}

export const exampleDefault: DefaultDocument = {
  documentType: 'soul',
  content: '# Soul\n\nSay it briefly.\n',
  version: 1,
  agentId: 'user',
  updatedAt: '2026-11-21T09:00:00.000Z',
  template: templates.soul.content,
}
