import { z } from 'zod'
import { isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { documentTypes, type DocumentType } from '../vaults/settings.ts'
import { inheritModes, shippedRules, type InheritMode } from './rules.ts'
import { findDefaultDocuments, findDocuments, listFormerTexts, type StoredDocument } from './store.ts'
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
    isTemplate: z.boolean().describe('True where nobody has written it yet, or all that was written was taken away.'),
    version: z
      .int()
      .describe(
        "Of the vault's own text and rules, be the text empty; 0 where it has never written any. What is written for all vaults does not count.",
      ),
    updatedAt: fields.timestamp
      .nullable()
      .describe(
        'When it came to be as it is read here, also by what is written for all vaults; null where nobody has written it.',
      ),
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
  const written = writtenText(rules.inheritMode, saidIn(own), saidIn(inherited))
  return {
    documentType: type,
    content: written ?? templates[type].content,
    ...rules,
    templateVersion: own?.templateVersion ?? templates[type].version,
    isTemplate: written === undefined,
    version: own?.version ?? 0,
    updatedAt: isoTimeOrNull(changedAt(rules.inheritMode, own, inherited)),
  }
}

/** The later of what the text is made of: the vault's own and its rules, and what is inherited where that is read. */
function changedAt(
  mode: InheritMode,
  own: StoredDocument | undefined,
  inherited: StoredDocument | undefined,
): number | undefined {
  const isInherited = mode === 'merge' || (mode === 'inherit' && saidIn(own) === undefined)
  // One that was taken away counts, too: what is read changed with it.
  const times = [own, isInherited ? inherited : undefined].flatMap((document) => document?.updatedAt ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

/**
 * An empty text says nothing, and stands in nobody's way: so a text is taken away while its versions stay, and a vault has rules
 * of its own for a text that it inherits.
 */
export const saidIn = (document: StoredDocument | undefined): string | undefined =>
  document === undefined || document.content === '' ? undefined : document.content

/** Whether it has, or once had, a text: one of which only rules were set has not. */
export const hasEverSaid = async (db: Reader, scope: VaultScope, document: StoredDocument): Promise<boolean> =>
  document.content !== '' || (await listFormerTexts(db, scope, document.id)).some(({ content }) => content !== '')

function writtenText(mode: InheritMode, own: string | undefined, inherited: string | undefined): string | undefined {
  if (mode === 'none') return own
  if (mode === 'inherit') return own ?? inherited
  const parts = [inherited, own].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.reduce(joinTexts)
}

/** The second begins on a line of its own. */
export const joinTexts = (first: string, second: string): string =>
  first === '' || first.endsWith('\n') || second.startsWith('\n') ? first + second : `${first}\n${second}`
