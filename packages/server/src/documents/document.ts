import { z } from 'zod'
import { isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import {
  changedBy,
  describeSource,
  describeWriter,
  isSameName,
  lastWriter,
  lowestTrust,
  source,
  type Shapers,
  type Writer,
} from '../operation/writer.ts'
import { documentTypes, type DocumentType } from '../vaults/settings.ts'
import { inheritModes, shippedRules, templates, type InheritMode } from './templates.ts'
import { findDefaultDocuments, findDocuments, listFormerTexts, type StoredDocument } from './store.ts'

export const maxDocumentChars = 100_000

export const documentType = z.enum(documentTypes).describe('Which document.')

/** What lists of documents take to list fewer. */
export const onlyType = documentType.optional().describe('Only this one. Default: all four.')
export const typesToList = (only: DocumentType | undefined): readonly DocumentType[] =>
  only === undefined ? documentTypes : [only]

export const documentRecord = z
  .looseObject({
    documentType: z.enum(documentTypes),
    content: z.string(),
    inheritMode: z.enum(inheritModes),
    agentEditable: z.boolean().describe('Whether update-document may change it.'),
    appendOnly: z.boolean().describe('Whether agents may only add to it.'),
    templateVersion: z.int().describe('Version of the template that the text is, or started from.'),
    isTemplate: z.boolean().describe('True if it has no text, or its text was removed.'),
    version: z
      .int()
      .describe(
        "Version of the vault's own text and rules; 0 if it never had any. Your texts for all vaults don't count.",
      ),
    updatedAt: fields.timestamp
      .nullable()
      .describe(
        'When the text last changed, including changes to your text for all vaults; null if no one has written it.',
      ),
    agentId: z.string().nullable().describe('Who wrote it first; "user" is a person. null: no one has, or unknown.'),
    source: source.nullable().describe('Where the text comes from; null for a template.'),
    changedBy,
    removedBy: changedBy.describe(
      "Who removed the vault's own text; its older versions are kept. null if there is a text, or never was one.",
    ),
  })
  .meta({ id: 'Document' })

export type DocumentRecord = z.infer<typeof documentRecord>

type Context = Pick<VaultContext, 'db' | 'vault' | 'keyring' | 'actor'>
type LabelContext = Context & Pick<VaultContext, 'instance'>

/** The documents as agents of this vault read them, in the requested order. */
export async function readDocuments(ctx: LabelContext, types: readonly DocumentType[]): Promise<DocumentRecord[]> {
  const documents = (await findSources(ctx, types)).map(describeDocument)
  await addKeyLabels(ctx, documents)
  return documents
}

/** The texts that make up a document. */
export interface DocumentSources {
  type: DocumentType
  /** The vault's own text. */
  own: StoredDocument | undefined
  /** The owner's text for all vaults. */
  inherited: StoredDocument | undefined
  /** Who removed the vault's own text, if it had one. */
  removedBy?: Writer | undefined
}

/** In the requested order. */
export async function findSources(ctx: Context, types: readonly DocumentType[]): Promise<DocumentSources[]> {
  const own = await findDocuments(ctx.db.read, ctx.vault, types)
  const defaults = await findDefaultDocuments(ctx, types)
  const among = (documents: readonly StoredDocument[], type: DocumentType) =>
    documents.find(({ documentType: found }) => found === type)
  const removers = new Map<string, Writer>()
  for (const document of own) {
    const isRemoved = document.content === '' && (await hasEverHadText(ctx.db.read, ctx.vault, document))
    if (isRemoved) removers.set(document.documentType, lastWriter(document.shapers, document.createdAt))
  }
  return types.map((type) => ({
    type,
    own: among(own, type),
    inherited: among(defaults, type),
    removedBy: removers.get(type),
  }))
}

export function describeDocument({ type, own, inherited, removedBy }: DocumentSources): DocumentRecord {
  const rules = own?.rules ?? shippedRules[type]
  const used = usedTexts(rules.inheritMode, own, inherited)
  return {
    documentType: type,
    content: used.length === 0 ? templates[type].content : used.map(({ content }) => content).reduce(joinTexts),
    ...rules,
    templateVersion: own?.templateVersion ?? templates[type].version,
    isTemplate: used.length === 0,
    version: own?.version ?? 0,
    updatedAt: isoTimeOrNull(changedAt(rules.inheritMode, own, inherited)),
    ...describeShapers(shapersOf(used)),
    removedBy: describeWriter(removedBy),
  }
}

const describeShapers = (shapers: Shapers | undefined) => ({
  agentId: shapers?.agentId ?? null,
  source: shapers === undefined ? null : describeSource(shapers),
  changedBy: describeWriter(shapers?.hasOtherWriters === true ? shapers.changedBy : undefined),
})

/** Who shaped the text that agents read. If it is merged from two, the second text is a change of the first. */
function shapersOf([first, second]: readonly StoredDocument[]): Shapers | undefined {
  if (first === undefined || second === undefined) return first?.shapers
  const { shapers, createdAt } = second
  const { changedBy: last, trust } = first.shapers
  const others = [last, lastWriter({ ...shapers, changedBy: undefined }, createdAt), shapers.changedBy].filter(
    (writer) => writer !== undefined && !isSameName(writer, first.shapers),
  )
  const changed = others.toSorted((a, b) => (a?.at ?? 0) - (b?.at ?? 0)).at(-1)
  return {
    ...first.shapers,
    changedBy: changed ?? last,
    hasOtherWriters: changed !== undefined,
    trust: lowestTrust(trust, shapers.trust),
  }
}

/** What people see next to a text: who wrote it and when, and the template to start from. */
export const describeOrigin = (type: DocumentType, text: StoredDocument | undefined) => ({
  ...describeShapers(getText(text) === undefined ? undefined : text?.shapers),
  updatedAt: isoTimeOrNull(text?.updatedAt),
  template: templates[type].content,
})

/** The latest change of the vault's own text and rules, and of the inherited text if agents read it. */
function changedAt(
  mode: InheritMode,
  own: StoredDocument | undefined,
  inherited: StoredDocument | undefined,
): number | undefined {
  const isInherited = mode === 'merge' || (mode === 'inherit' && getText(own) === undefined)
  // A removed text counts too, because removing it changed what agents read.
  const times = [own, isInherited ? inherited : undefined].flatMap((document) => document?.updatedAt ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

/**
 * The text, or undefined if it is empty. An empty text counts as none: that removes a text but keeps its versions, and lets a vault
 * have its own rules for an inherited text.
 */
export const getText = (document: StoredDocument | undefined): string | undefined =>
  document === undefined || document.content === '' ? undefined : document.content

/** Whether the document has or once had a text, and not only rules. */
export async function hasEverHadText(
  db: Reader,
  scope: VaultScope,
  { id, content }: Pick<StoredDocument, 'id' | 'content'>,
): Promise<boolean> {
  if (content !== '') return true
  // The latest first, one at a time: it rarely takes more, and texts can be long.
  for (let offset = 0; ; offset++) {
    const [former] = await listFormerTexts(db, scope, id, { limit: 1, offset })
    if (former === undefined || former.content !== '') return former !== undefined
  }
}

/** The documents whose texts agents read, in this order. */
function usedTexts(
  mode: InheritMode,
  own: StoredDocument | undefined,
  inherited: StoredDocument | undefined,
): StoredDocument[] {
  const isOwnEnough = mode === 'none' || (mode === 'inherit' && getText(own) !== undefined)
  const candidates = isOwnEnough ? [own] : [inherited, own]
  return candidates.flatMap((document) => (document === undefined || document.content === '' ? [] : document))
}

/** Starts the second text on a new line. */
export const joinTexts = (first: string, second: string): string =>
  first === '' || first.endsWith('\n') || second.startsWith('\n') ? first + second : `${first}\n${second}`
