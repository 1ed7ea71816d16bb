import { conflict, forbidden, invalid, notFound } from '../core/errors.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import type { DocumentType } from '../vaults/settings.ts'
import { lockVault } from '../vault-index/lock-store.ts'
import { describeDocument, joinTexts, maxDocumentChars } from './document.ts'
import { shippedRules, type DocumentRules } from './rules.ts'
import { findDefaultDocuments, findDocuments, insertDocument, replaceDocument, type StoredDocument } from './store.ts'
import { templates } from './templates.ts'

export const writeModes = ['replace', 'append'] as const
type WriteMode = (typeof writeModes)[number]

/** What is to become of one of a vault's documents. Rules are for people alone to change. */
export interface DocumentChange {
  documentType: DocumentType
  content?: string | undefined
  mode: WriteMode
  rules?: Partial<DocumentRules> | undefined
  expectedVersion?: number | undefined
  agentId?: string | undefined
  agentRunId?: string | undefined
}

export interface WrittenDocument {
  /** The vault's own text and rules, be they as before; undefined where it has none yet. */
  document: Pick<StoredDocument, 'content' | 'version' | 'updatedAt'> | undefined
  /** Of the text that was asked for. */
  length: number
  /** False where nothing was to change. */
  updated: boolean
}

/** Writes one of the vault's documents, or adds to it. The former text is kept. An agent is held to the document's rules. */
export async function writeDocument(ctx: VaultContext, change: DocumentChange): Promise<WrittenDocument> {
  const { db, vault, actor } = ctx
  const { documentType: type, content = '', mode, expectedVersion } = change
  // Read before, since no transaction waits for the unwrapping of keys; only a person changes these, and seldom.
  const [inherited] = await findDefaultDocuments(ctx, [type])
  const author = {
    agentId: claimedAgentId(ctx, change.agentId),
    agentRunId: change.agentRunId ?? ctx.request.runId,
    integrationId: actor.integrationId,
  }
  return db.write(async (tx) => {
    if (!(await lockVault(tx, vault.userId, vault.id))) throw notFound('Vault')
    const [before] = await findDocuments(tx, vault, [type])
    const former = before?.rules ?? shippedRules[type]
    if (actor.kind === 'agent') refuseForbidden(former, mode)
    if (expectedVersion !== undefined && expectedVersion !== (before?.version ?? 0))
      throw conflict(`The document has version ${before?.version ?? 0}, not ${expectedVersion}; read it again`)
    const text = textOf(change, before, inherited)
    if (text.length > maxDocumentChars)
      throw invalid({ content: `the document would have ${text.length} characters, ${maxDocumentChars} at most` })
    const rules = rulesOf(former, change.rules)
    const isSame = before?.content === text || (mode === 'append' && content === '')
    if (isSame && rules === former) return { document: before, length: text.length, updated: false }
    const templateVersion = before?.templateVersion ?? templates[type].version
    const draft = { documentType: type, rules, templateVersion, content: text, author }
    const at = ctx.now()
    if (before === undefined) await insertDocument(tx, vault, draft, at)
    else await replaceDocument(tx, vault, before, draft, at)
    const document = { content: text, version: (before?.version ?? 0) + 1, updatedAt: at }
    return { document, length: text.length, updated: true }
  })
}

function textOf(
  { documentType, content, mode }: DocumentChange,
  before: StoredDocument | undefined,
  inherited: StoredDocument | undefined,
): string {
  // Rules alone: they are the vault's own from here on, and so is what they are the rules of.
  if (content === undefined) return baseOf(documentType, before, inherited)
  return mode === 'replace' ? content : joinTexts(baseOf(documentType, before, inherited), content)
}

/** The same object where nothing is to change. */
function rulesOf(before: DocumentRules, change: Partial<DocumentRules> = {}): DocumentRules {
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
      'Only people change this document. Propose the change with send-message (targetId "user"), or keep what you have learnt with write-memory.',
    )
  if (appendOnly && mode === 'replace')
    throw forbidden('This document can only be added to. Send the new part alone, with mode "append".')
}

/** What is added to: all that the agent reads, but for what is put before the vault's text in any case. */
function baseOf(type: DocumentType, own: StoredDocument | undefined, inherited: StoredDocument | undefined): string {
  if (own !== undefined) return own.content
  const isMerged = inherited !== undefined && shippedRules[type].inheritMode === 'merge'
  return isMerged ? '' : describeDocument(type, undefined, inherited).content
}
