import { z } from 'zod'
import { conflict, forbidden, invalid, notFound } from '../core/errors.ts'
import { isoTimeOrNull } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { type WriterContext, writerOf } from '../operation/claimed-agent.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { trustOfActor, type Trust, type Writer } from '../operation/writer.ts'
import { documentTypes, type DocumentType } from '../vaults/settings.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { describeDocument, documentType, hasEverHadText, joinTexts, maxDocumentChars, getText } from './document.ts'
import {
  findDefaultDocuments,
  findDocuments,
  findFormerText,
  insertDocument,
  replaceDocument,
  type FormerText,
  type StoredDocument,
} from './store.ts'
import { shapersAfter } from './shape-text.ts'
import { shippedRules, templates, type DocumentRules } from './templates.ts'

const writeModes = ['replace', 'append'] as const
type WriteMode = (typeof writeModes)[number]

export const expectedDocumentVersion = z
  .int()
  .min(0)
  .optional()
  .describe(
    "Fail with 409 unless the vault's own text and rules still have this version. 0 means that it never had any. Your texts for all vaults don't count.",
  )

/** Throws unless there is either a text or a former version. */
export function refuseTwoTexts({ content, fromVersion }: Pick<DocumentChange, 'content' | 'fromVersion'>): void {
  if (content === undefined && fromVersion === undefined) throw invalid({ content: 'required, or fromVersion' })
  if (content !== undefined && fromVersion !== undefined)
    throw invalid({ fromVersion: 'replaces content; give it without content' })
}

export const updateDocument = operation({
  name: 'update-document',
  for: { agent: { toolset: 'documents', scopes: ['write'] }, person: 'PATCH /api/documents' },
  vault: 'required',
  leastRole: 'admin',
  summary: "Write one of a vault's documents, or add to it. Older versions are kept.",
  effect: 'write',
  changes: ['documents'],
  input: z.object({
    documentType,
    content: z
      .string()
      .max(maxDocumentChars)
      .optional()
      .describe(
        'The new text, or the text to add; the result has at most 100,000 characters. An empty replacement removes the text. The inherited text then applies, or the template. Required unless fromVersion is given.',
      ),
    fromVersion: fields.fromVersion,
    mode: z
      .enum(writeModes)
      .default('replace')
      .describe(
        'append adds the content on a new line after the text that read-document returns. If the text was removed and nothing is inherited (inheritMode none), it becomes the whole text.',
      ),
    expectedVersion: expectedDocumentVersion,
    vaultId: fields.vaultId.describe('The vault.'),
    ...fields.common,
  }),
  needs: [['content'], ['fromVersion']],
  output: z.looseObject({
    documentType: z.enum(documentTypes),
    updated: z.boolean().describe('False if there was nothing to change.'),
    version: z.int().describe("Version of the vault's own text and rules; 0 if it never had any."),
    vaultId: z.uuid(),
    length: z.int().describe("Characters of the vault's own text."),
    updatedAt: fields.timestamp.nullable().describe("When the vault's own text or rules were last changed."),
  }),
  examples: {
    input: {
      documentType: 'checks',
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      content: '# Checks\n\n- [ ] The tests pass.\n- [ ] The changelog names what users will notice.\n',
    },
    output: {
      documentType: 'checks',
      updated: true,
      version: 3,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      length: 84,
      updatedAt: '2026-11-21T09:00:00.000Z',
    },
  },
  async run({ vaultId, ...change }, ctx) {
    refuseTwoTexts(change)
    if (change.fromVersion !== undefined && change.mode === 'append')
      throw invalid({ mode: 'must be replace with fromVersion' })
    const { document, length, updated } = await writeDocument(ctx, change)
    return {
      documentType: change.documentType,
      updated,
      version: document?.version ?? 0,
      vaultId,
      length: updated ? length : (document?.content.length ?? 0),
      updatedAt: isoTimeOrNull(document?.updatedAt),
    }
  },
})

/** Omitted rules stay unchanged. */
type RulesChange = { [Rule in keyof DocumentRules]?: DocumentRules[Rule] | undefined }

/** A change of a vault's document. Only people may change rules. */
interface DocumentChange {
  documentType: DocumentType
  content?: string | undefined
  fromVersion?: number | undefined
  mode: WriteMode
  rules?: RulesChange | undefined
  expectedVersion?: number | undefined
  agentId?: string | undefined
  agentRunId?: string | undefined
}

interface WrittenDocument {
  /** The vault's own text and rules, changed or not; undefined if there are none yet. */
  document: Pick<StoredDocument, 'content' | 'version' | 'updatedAt'> | undefined
  /** Length of the requested text. */
  length: number
  /** False if there was nothing to change. */
  updated: boolean
}

/** Writes one of the vault's documents, or adds to it, and keeps the former text. The document's rules apply to agents only. */
export async function writeDocument(
  ctx: WriterContext & Pick<VaultContext, 'db' | 'keyring' | 'vault'>,
  change: DocumentChange,
): Promise<WrittenDocument> {
  const { db, vault, actor } = ctx
  const { documentType: type, mode, rules, expectedVersion, fromVersion } = change
  // Read before the transaction, which should not wait for keys to be unwrapped. Only a person changes these, and rarely.
  const [inherited] = await findDefaultDocuments(ctx, [type])
  const by = { writer: writerOf(ctx, change), trust: trustOfActor(actor) }
  return db.write(async (tx) => {
    await lockVault(tx, vault)
    const [before] = await findDocuments(tx, vault, [type])
    if (actor.kind === 'agent') refuseForbidden(before?.rules ?? shippedRules[type], mode)
    if (fromVersion !== undefined) return restoreText(tx, vault, before, { ...by, fromVersion, expectedVersion })
    const isTextRemoved = before?.content === '' && mode === 'append' && (await hasEverHadText(tx, vault, before))
    const text = textOf(change, { before, inherited, isTextRemoved })
    return storeText(tx, vault, before, { ...by, documentType: type, text, rules, expectedVersion })
  })
}

/** Who changes a document. */
interface Change {
  writer: Writer
  trust: Trust
  expectedVersion: number | undefined
}

interface NewText extends Change {
  documentType: DocumentType
  text: string
  rules?: RulesChange | undefined
  /** With the text of a former version: that version. */
  former?: FormerText
}

/** Gives a document the text of one of its versions, in a transaction that has locked the vault or the person. */
export async function restoreText(
  tx: Tx,
  scope: VaultScope,
  before: StoredDocument | undefined,
  { fromVersion, ...change }: Change & { fromVersion: number },
): Promise<WrittenDocument> {
  const former = before && (await findFormerText(tx, scope, before.id, fromVersion))
  if (before === undefined || former === undefined) throw notFound('Version')
  return storeText(tx, scope, before, { ...change, documentType: before.documentType, text: former.content, former })
}

/** Replaces the text of a vault or of a person, in a transaction that has locked the vault or the person. */
export async function storeText(
  tx: Tx,
  scope: VaultScope,
  before: StoredDocument | undefined,
  change: NewText,
): Promise<WrittenDocument> {
  const { documentType: type, text, expectedVersion, writer } = change
  const version = before?.version ?? 0
  if (expectedVersion !== undefined && expectedVersion !== version)
    throw conflict(`The document has version ${version}, not ${expectedVersion}. Read it again`)
  if (text.length > maxDocumentChars)
    throw invalid({ content: `the document would have ${text.length} characters; the limit is ${maxDocumentChars}` })
  const formerRules = before?.rules ?? shippedRules[type]
  const rules = rulesOf(formerRules, change.rules)
  const shapers = shapersAfter(before, change)
  const isSameText = before === undefined ? text === '' : before.content === text && before.shapers === shapers
  if (isSameText && rules === formerRules) return { document: before, length: text.length, updated: false }
  const templateVersion = before?.templateVersion ?? templates[type].version
  const draft = { documentType: type, rules, templateVersion, content: text, shapers }
  if (before === undefined) await insertDocument(tx, scope, draft, writer.at)
  else await replaceDocument(tx, scope, before, { draft, by: writer, at: writer.at })
  return { document: { content: text, version: version + 1, updatedAt: writer.at }, length: text.length, updated: true }
}

/** What a change starts from. */
interface Base {
  before: StoredDocument | undefined
  inherited: StoredDocument | undefined
  /** Whether the vault had a text that was removed. */
  isTextRemoved: boolean
}

function textOf({ documentType: type, content, mode }: DocumentChange, base: Base): string {
  // Only rules change, or nothing is added: a vault that inherits its text keeps inheriting it.
  if (content === undefined || (mode === 'append' && content === '')) return base.before?.content ?? ''
  return mode === 'replace' ? content : joinTexts(baseOf(type, base), content)
}

/** Returns the same object if there is nothing to change. */
function rulesOf(before: DocumentRules, change: RulesChange = {}): DocumentRules {
  const after = {
    inheritMode: change.inheritMode ?? before.inheritMode,
    agentEditable: change.agentEditable ?? before.agentEditable,
    appendOnly: change.appendOnly ?? before.appendOnly,
  }
  return JSON.stringify(after) === JSON.stringify(before) ? before : after
}

function refuseForbidden({ agentEditable, appendOnly }: DocumentRules, mode: WriteMode): void {
  if (!agentEditable)
    throw forbidden(
      'Only people may change this document. Propose the change with send-message (targetId "user"), or store what you learned with write-memory.',
    )
  if (appendOnly && mode === 'replace')
    throw forbidden('You may only add to this document. Send only the new part, with mode "append".')
}

/** The text that an addition is appended to: what the agent reads, without the owner's text if that is merged in front anyway. */
function baseOf(type: DocumentType, { before: own, inherited, isTextRemoved }: Base): string {
  const said = getText(own)
  if (said !== undefined) return said
  const { inheritMode } = own?.rules ?? shippedRules[type]
  // Someone removed the vault's text and inherits nothing, so they don't want the template back.
  if (inheritMode === 'none' && isTextRemoved) return ''
  const isMerged = getText(inherited) !== undefined && inheritMode === 'merge'
  return isMerged ? '' : describeDocument({ type, own, inherited }).content
}
