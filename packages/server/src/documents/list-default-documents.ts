import { z } from 'zod'
import type { PersonContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { changedBy, source } from '../operation/writer.ts'
import { documentTypes, type DocumentType } from '../vaults/settings.ts'
import { describeOrigin, onlyType, typesToList } from './document.ts'
import { findDefaultDocuments } from './store.ts'
import { templates } from './templates.ts'

/** A person's text for all their vaults. The rules of each vault decide whether agents read it there. */
export const defaultDocument = z
  .looseObject({
    documentType: z.enum(documentTypes),
    content: z.string().describe('Your text for all your vaults; empty if you have none.'),
    version: z.int().describe('0 if you have never written it.'),
    agentId: z.string().nullable().describe('Who wrote it first; "user" is you.'),
    source: source.nullable(),
    changedBy,
    updatedAt: fields.timestamp.nullable(),
    template: z.string().describe('The template of this version, to start from.'),
  })
  .meta({ id: 'DefaultDocument' })

export type DefaultDocument = z.infer<typeof defaultDocument>

export const exampleDefault: DefaultDocument = {
  documentType: 'soul',
  content: '# Soul\n\nSay it briefly.\n',
  version: 1,
  agentId: 'user',
  source: { integrationId: null, route: 'update-default-document', trust: 'user_authored' },
  changedBy: null,
  updatedAt: '2026-11-21T09:00:00.000Z',
  template: templates.soul.content,
}

export const listDefaultDocuments = operation({
  name: 'list-default-documents',
  for: { person: 'GET /api/documents/defaults' },
  summary: 'List your documents for all your vaults with their texts.',
  effect: 'read',
  outdatedBy: ['documents'],
  input: z.object({ documentType: onlyType }),
  output: z.looseObject({ documents: z.array(defaultDocument) }),
  examples: { input: { documentType: 'soul' }, output: { documents: [exampleDefault] } },
  run: async ({ documentType: only }, ctx) => ({ documents: await readDefaultDocuments(ctx, typesToList(only)) }),
})

/** In the requested order. */
export async function readDefaultDocuments(
  ctx: Pick<PersonContext, 'db' | 'keyring' | 'actor'>,
  types: readonly DocumentType[],
): Promise<DefaultDocument[]> {
  const found = await findDefaultDocuments(ctx, types)
  return types.map((type) => {
    const document = found.find((one) => one.documentType === type)
    return {
      documentType: type,
      content: document?.content ?? '',
      version: document?.version ?? 0,
      ...describeOrigin(type, document),
    }
  })
}
