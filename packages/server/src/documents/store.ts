import type { WrappedVaultKey } from '../auth/keyring.ts'
import { joinedKeyColumns } from '../auth/scope-key-store.ts'
import { newId } from '../core/ids.ts'
import { openJson, sealJson, type CellAddress } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { DocumentVersionsTable } from '../db/tables/vaults.ts'
import { personsName } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import {
  isSameName,
  keptVersionColumns,
  lastWriter,
  versionColumns,
  versionsToDrop,
  type Shapers,
  type Trust,
  type Writer,
} from '../operation/writer.ts'
import type { DocumentType } from '../vaults/settings.ts'
import type { DocumentShapers } from './shape-text.ts'
import type { DocumentRules, InheritMode } from './templates.ts'

/** Rows of documents, sealed and opened. A scope is a vault, or a user with the private keys for documents outside of vaults. */

export interface StoredDocument {
  id: string
  documentType: DocumentType
  rules: DocumentRules
  templateVersion: number
  content: string
  shapers: DocumentShapers
  version: number
  createdAt: number
  updatedAt: number
}

export async function findDocuments(
  db: Reader,
  scope: VaultScope,
  types: readonly DocumentType[],
): Promise<StoredDocument[]> {
  if (types.length === 0) return []
  const rows = await db
    .selectFrom('documents')
    .selectAll()
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('documentType', 'in', types)
    .execute()
  return rows.map((row) => {
    const { content, ...shapers } = openJson(
      scope.keys,
      'content',
      address(scope, 'documents', row.id, row.version),
      row.body,
    ) as DocumentShapers & { content: string }
    return {
      id: row.id,
      documentType: row.documentType as DocumentType,
      rules: {
        inheritMode: row.inheritMode as InheritMode,
        agentEditable: row.agentEditable === 1,
        appendOnly: row.appendOnly === 1,
      },
      templateVersion: row.templateVersion,
      content,
      shapers: { ...unrecorded(shapers), ...shapers },
      version: row.version,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    }
  })
}

/** The types of the vault's documents by id. */
export async function listDocumentTypes(db: Reader, scope: VaultScope): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'documentType'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .execute()
  return new Map(rows.map(({ id, documentType }) => [id, documentType]))
}

/** What earlier releases didn't store: they knew only who wrote a text last. */
const unrecorded = ({ integrationId, agentId }: Pick<Writer, 'integrationId' | 'agentId'>) => ({
  route: 'update-document',
  trust:
    integrationId === undefined && agentId === personsName ? ('user_authored' as const) : ('agent_authored' as const),
})

/**
 * The texts that the caller has written for all their vaults, with which those of the vault are combined. They are no part of a vault and
 * aren't shared with it. The owner's keys are unwrapped only if there are such texts.
 */
export async function findDefaultDocuments(
  { db, keyring, actor }: Pick<VaultContext, 'db' | 'keyring' | 'actor'>,
  types: readonly DocumentType[],
): Promise<StoredDocument[]> {
  if (types.length === 0 || (actor.kind === 'person' && actor.isMember === true)) return []
  const { userId } = actor
  const wrapped = await listPrivateKeys(db.read, userId, types)
  if (wrapped.length === 0) return []
  const keys = keyring.privateScope(keyring.mek(actor), userId, wrapped)
  return findDocuments(db.read, { id: userId, userId, keys }, types)
}

/** The owner's private keys, if they have such documents. */
const listPrivateKeys = (db: Reader, userId: string, types: readonly DocumentType[]): Promise<WrappedVaultKey[]> =>
  db
    .selectFrom('vaultKeys as key')
    .select(joinedKeyColumns)
    .where('key.userId', '=', userId)
    .where('key.scopeId', '=', userId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('documents as document')
          .select('document.id')
          .where('document.userId', '=', userId)
          .where('document.vaultId', '=', userId)
          .where('document.documentType', 'in', types),
      ),
    )
    .orderBy('key.generation')
    .execute()

export type DocumentDraft = Pick<StoredDocument, 'documentType' | 'rules' | 'templateVersion' | 'content' | 'shapers'>

/** Writes the first version, in a transaction that has locked the vault. */
export const insertDocument = (tx: Tx, scope: VaultScope, draft: DocumentDraft, at: number): Promise<string> =>
  restoreDocument(tx, scope, { ...draft, version: 1, createdAt: at, updatedAt: at })

/** Copies a document from elsewhere under a new id, and returns the id. */
export async function restoreDocument(
  tx: Tx,
  scope: VaultScope,
  document: Omit<StoredDocument, 'id'>,
): Promise<string> {
  const id = newId()
  await tx
    .insertInto('documents')
    .values({
      id,
      userId: scope.userId,
      vaultId: scope.id,
      documentType: document.documentType,
      templateVersion: document.templateVersion,
      ...rulesColumns(document.rules),
      body: sealBody(scope, { table: 'documents', id, version: document.version }, document, document.shapers),
      version: document.version,
      createdAt: document.createdAt,
      updatedAt: document.updatedAt,
    })
    .execute()
  return id
}

/** Moves the document's text to its versions and replaces it with the draft, as the next version or a later one. */
export async function replaceDocument(
  tx: Tx,
  scope: VaultScope,
  before: StoredDocument,
  { draft, by, at, next = before.version + 1 }: { draft: DocumentDraft; by?: Writer; at: number; next?: number },
): Promise<void> {
  const { id, content, shapers } = before
  const writer = lastWriter(shapers, before.createdAt)
  const { trust } = shapers
  const former = { version: before.version, content, author: authorOf(shapers), writer, trust, at: before.updatedAt }
  await tx
    .insertInto('documentVersions')
    .values(formerColumns(scope, id, former, by))
    .execute()
  await dropOldest(tx, scope, id)
  await tx
    .updateTable('documents')
    .set({
      templateVersion: draft.templateVersion,
      ...rulesColumns(draft.rules),
      body: sealBody(scope, { table: 'documents', id, version: next }, draft, draft.shapers),
      version: next,
      updatedAt: at,
    })
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', id)
    .execute()
}

async function dropOldest(tx: Tx, scope: VaultScope, documentId: string): Promise<void> {
  const surplus = versionsToDrop(await listVersionWriters(tx, scope, documentId))
  if (surplus.length === 0) return
  await tx
    .deleteFrom('documentVersions')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('documentId', '=', documentId)
    .where('version', 'in', surplus)
    .execute()
}

/** All kept versions, newest first. */
export const listVersionWriters = (db: Reader, scope: VaultScope, documentId: string) =>
  formerTexts(db, scope, documentId).select(keptVersionColumns).orderBy('version', 'desc').execute()

/** `author`, who wrote the text first, is stored only if someone else changed it last. */
type StoredWriters = Writer & { author?: Omit<Writer, 'at'>; trust: Trust }

export interface FormerText {
  version: number
  content: string
  /** Who wrote its text first. */
  author: Omit<Writer, 'at'>
  /** Who changed it last. */
  writer: Writer
  trust: Trust
  /** When this version was written, also if only the document's rules changed. */
  at: number
}

const authorOf = ({ integrationId, agentId, agentRunId, route }: Shapers) => ({
  integrationId,
  agentId,
  agentRunId,
  route,
})

const formerColumns = (scope: VaultScope, documentId: string, former: FormerText, by?: Writer) => ({
  userId: scope.userId,
  vaultId: scope.id,
  documentId,
  version: former.version,
  body: sealBody(scope, { table: 'documentVersions', id: documentId, version: former.version }, former, {
    ...former.writer,
    ...(!isSameName(former.author, former.writer) && { author: former.author }),
    trust: former.trust,
  }),
  createdAt: former.at,
  ...versionColumns(scope, { ...former, by }),
})

/** Copies a former text from elsewhere; false if the document already has this version. */
export async function restoreFormerText(
  tx: Tx,
  scope: VaultScope,
  documentId: string,
  text: FormerText,
): Promise<boolean> {
  const row = await tx
    .insertInto('documentVersions')
    .values(formerColumns(scope, documentId, text))
    .onConflict((conflict) => conflict.doNothing())
    .returning('version')
    .executeTakeFirst()
  return row !== undefined
}

/** Former texts, the latest first: a page, or all that are kept. */
export async function listFormerTexts(
  db: Reader,
  scope: VaultScope,
  documentId: string,
  page?: { limit: number; offset: number },
): Promise<FormerText[]> {
  const all = formerTexts(db, scope, documentId).selectAll().orderBy('version', 'desc')
  const rows = await (page === undefined ? all : all.limit(page.limit).offset(page.offset)).execute()
  return rows.map((row) => openFormerText(scope, row))
}

export async function findFormerText(
  db: Reader,
  scope: VaultScope,
  documentId: string,
  version: number,
): Promise<FormerText | undefined> {
  const row = await formerTexts(db, scope, documentId).selectAll().where('version', '=', version).executeTakeFirst()
  return row && openFormerText(scope, row)
}

/** The documents' texts that a run replaced, as far as they are kept. */
export const listReplacedInRun = (
  db: Reader,
  scope: VaultScope,
  tag: Uint8Array,
): Promise<{ id: string; version: number }[]> =>
  db
    .selectFrom('documentVersions')
    .select(['documentId as id', 'version'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('replacedInRun', '=', tag)
    .execute()

export const forgetFormerTexts = (tx: Tx, scope: VaultScope, documentId: string) =>
  tx
    .deleteFrom('documentVersions')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('documentId', '=', documentId)
    .execute()

export async function countFormerTexts(db: Reader, scope: VaultScope, documentId: string): Promise<number> {
  const { count } = await formerTexts(db, scope, documentId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const formerTexts = (db: Reader, scope: VaultScope, documentId: string) =>
  db
    .selectFrom('documentVersions')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('documentId', '=', documentId)

function openFormerText(
  scope: VaultScope,
  { documentId, version, body, createdAt }: DocumentVersionsTable,
): FormerText {
  const { content, ...stored } = openJson(
    scope.keys,
    'content',
    address(scope, 'documentVersions', documentId, version),
    body,
  ) as StoredWriters & { content: string }
  const defaults = { at: createdAt, ...unrecorded(stored) }
  const { trust, author, ...writer } = { ...defaults, ...stored }
  return { version, content, author: author ?? writer, writer, trust, at: createdAt }
}

const rulesColumns = ({ inheritMode, agentEditable, appendOnly }: DocumentRules) => ({
  inheritMode,
  agentEditable: agentEditable ? 1 : 0,
  appendOnly: appendOnly ? 1 : 0,
})

type VersionTable = 'documents' | 'documentVersions'

const sealBody = (
  scope: VaultScope,
  { table, id, version }: { table: VersionTable; id: string; version: number },
  { content }: { content: string },
  who: Shapers | StoredWriters,
) => sealJson(scope.keys, 'content', address(scope, table, id, version), { content, ...who })

const address = (scope: VaultScope, table: VersionTable, rowId: string, revision: number): CellAddress => ({
  userId: scope.userId,
  scopeId: scope.id,
  table,
  rowId,
  column: 'body',
  revision,
})
