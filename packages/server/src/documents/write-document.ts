import { conflict, forbidden, invalid, notFound } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import type { DocumentType } from '../vaults/settings.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { describeDocument, hasEverSaid, joinTexts, maxDocumentChars, saidIn } from './document.ts'
import { shippedRules, type DocumentRules } from './rules.ts'
import {
  findDefaultDocuments,
  findDocuments,
  insertDocument,
  replaceDocument,
  type DocumentAuthor,
  type StoredDocument,
} from './store.ts'
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
  /** The own text and rules, be they as before; undefined where there is none yet. */
  document: Pick<StoredDocument, 'content' | 'version' | 'updatedAt'> | undefined
  /** Of the text that was asked for. */
  length: number
  /** False where nothing was to change. */
  updated: boolean
}

/** Writes one of the vault's documents, or adds to it. The former text is kept. An agent is held to the document's rules. */
export async function writeDocument(ctx: VaultContext, change: DocumentChange): Promise<WrittenDocument> {
  const { db, vault, actor } = ctx
  const { documentType: type, mode, rules, expectedVersion } = change
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
    if (actor.kind === 'agent') refuseForbidden(before?.rules ?? shippedRules[type], mode)
    const isTakenAway = before?.content === '' && mode === 'append' && (await hasEverSaid(tx, vault, before))
    const text = textOf(change, { before, inherited, isTakenAway })
    return storeText(tx, vault, before, { documentType: type, text, rules, expectedVersion, author, at: ctx.now() })
  })
}

export interface NewText {
  documentType: DocumentType
  text: string
  rules?: Partial<DocumentRules> | undefined
  expectedVersion: number | undefined
  author: DocumentAuthor
  at: number
}

/** The text in place of what was before, of a vault or of a person, in a transaction that holds the lock of either. */
export async function storeText(
  tx: Tx,
  scope: VaultScope,
  before: StoredDocument | undefined,
  { documentType, text, rules: changed, expectedVersion, author, at }: NewText,
): Promise<WrittenDocument> {
  const version = before?.version ?? 0
  if (expectedVersion !== undefined && expectedVersion !== version)
    throw conflict(`The document has version ${version}, not ${expectedVersion}; read it again`)
  if (text.length > maxDocumentChars)
    throw invalid({ content: `the document would have ${text.length} characters, ${maxDocumentChars} at most` })
  const former = before?.rules ?? shippedRules[documentType]
  const rules = rulesOf(former, changed)
  const isSame = (before?.content ?? '') === text && rules === former
  if (isSame) return { document: before, length: text.length, updated: false }
  const templateVersion = before?.templateVersion ?? templates[documentType].version
  const draft = { documentType, rules, templateVersion, content: text, author }
  if (before === undefined) await insertDocument(tx, scope, draft, at)
  else await replaceDocument(tx, scope, before, { draft, at })
  return { document: { content: text, version: version + 1, updatedAt: at }, length: text.length, updated: true }
}

/** What a change is of. */
interface Base {
  before: StoredDocument | undefined
  inherited: StoredDocument | undefined
  /** Whether the vault had a text of its own, and has none now. */
  isTakenAway: boolean
}

function textOf({ documentType, content, mode }: DocumentChange, base: Base): string {
  // Rules alone, or nothing to add: a vault that inherits its text goes on inheriting it.
  if (content === undefined || (mode === 'append' && content === '')) return base.before?.content ?? ''
  return mode === 'replace' ? content : joinTexts(baseOf(documentType, base), content)
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
function baseOf(type: DocumentType, { before: own, inherited, isTakenAway }: Base): string {
  const said = saidIn(own)
  if (said !== undefined) return said
  const { inheritMode } = own?.rules ?? shippedRules[type]
  // Who wants the vault's text alone, and took it away with what it was begun from, does not want the shipped one back in it.
  if (inheritMode === 'none' && isTakenAway) return ''
  const isMerged = saidIn(inherited) !== undefined && inheritMode === 'merge'
  return isMerged ? '' : describeDocument(type, own, inherited).content
}
