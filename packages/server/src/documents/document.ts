import { z } from 'zod'
import { isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import type { VaultContext } from '../operation/context.ts'
import { documentTypes, type DocumentType } from '../vaults/settings.ts'
import { inheritModes, shippedRules, type InheritMode } from './rules.ts'
import { findDefaultDocuments, findDocuments, type StoredDocument } from './store.ts'
import { templates } from './templates.ts'

export const maxDocumentChars = 100_000

export const documentType = z.enum(documentTypes).describe('Which document.')

export const documentRecord = z
  .looseObject({
    documentType: z.enum(documentTypes),
    content: z.string(),
    inheritMode: z.enum(inheritModes),
    agentEditable: z.boolean().describe('Whether update-document may change it.'),
    appendOnly: z.boolean().describe('Whether it can only be added to.'),
    templateVersion: z.int().describe('Of the shipped text that it is, or was begun from.'),
    isTemplate: z.boolean().describe('True where nobody has written it yet.'),
    version: z.int().describe("Of the vault's own text; 0 where it has none."),
    updatedAt: fields.timestamp.nullable(),
  })
  .meta({ id: 'Document' })

export type DocumentRecord = z.infer<typeof documentRecord>

/** The documents as agents of this vault read them, in the order asked. */
export const readDocuments = async (ctx: VaultContext, types: readonly DocumentType[]): Promise<DocumentRecord[]> =>
  (await findSources(ctx, types)).map(({ type, own, inherited }) => describeDocument(type, own, inherited))

/** What a document is put together of. */
export interface DocumentSources {
  type: DocumentType
  /** The vault's own text. */
  own: StoredDocument | undefined
  /** What the vault's owner has written for all vaults. */
  inherited: StoredDocument | undefined
}

/** In the order asked. */
export async function findSources(ctx: VaultContext, types: readonly DocumentType[]): Promise<DocumentSources[]> {
  const own = await findDocuments(ctx.db.read, ctx.vault, types)
  const defaults = await findDefaultDocuments(ctx, types)
  const among = (documents: readonly StoredDocument[], type: DocumentType) =>
    documents.find(({ documentType: found }) => found === type)
  return types.map((type) => ({ type, own: among(own, type), inherited: among(defaults, type) }))
}

export function describeDocument(
  type: DocumentType,
  own: StoredDocument | undefined,
  inherited: StoredDocument | undefined,
): DocumentRecord {
  const rules = own?.rules ?? shippedRules[type]
  const written = writtenText(rules.inheritMode, own, inherited)
  return {
    documentType: type,
    content: written ?? templates[type].content,
    ...rules,
    templateVersion: own?.templateVersion ?? templates[type].version,
    isTemplate: written === undefined,
    version: own?.version ?? 0,
    updatedAt: isoTimeOrNull(own?.updatedAt),
  }
}

function writtenText(
  mode: InheritMode,
  own: StoredDocument | undefined,
  inherited: StoredDocument | undefined,
): string | undefined {
  if (mode === 'none') return own?.content
  if (mode === 'inherit') return own?.content ?? inherited?.content
  const parts = [inherited?.content, own?.content].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.reduce(joinTexts)
}

/** The second begins on a line of its own. */
export const joinTexts = (first: string, second: string): string =>
  first === '' || first.endsWith('\n') || second.startsWith('\n') ? first + second : `${first}\n${second}`
