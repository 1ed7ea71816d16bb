import type { Reader, Tx } from '../db/dialect.ts'
import { hasEverHadText } from '../documents/document.ts'
import { shippedRules } from '../documents/templates.ts'
import {
  findDocuments,
  forgetFormerTexts,
  listVersionWriters,
  replaceDocument,
  restoreDocument,
  restoreFormerText,
  type StoredDocument,
} from '../documents/store.ts'
import { templates } from '../documents/templates.ts'
import { findLink, insertLink, removeLinks, type NewLink } from '../links/store.ts'
import { insertAcks, insertMessage } from '../messages/store.ts'
import { makeFolders, namesIn } from '../notes/folder.ts'
import { isNamedBy } from '../notes/wiki-store.ts'
import { patchSettings, type SettingsOverrides } from '../vaults/settings.ts'
import { lockSettings, storeSettings } from '../vaults/settings-store.ts'
import type { CheckedOf } from './record.ts'
import { msOf, shapersOf, writerOf, type Importing, type Resolve } from './write-nodes.ts'

/** Links, messages, documents, folders and settings of an import, each in the transaction of its batch. */

/** The outcome of a record, with its `recordId` if it was created. */
export type Written = { status: 'created'; recordId: string; version: number } | { status: 'existing' }

const existing: Written = { status: 'existing' }

/**
 * If a text of this import contains the link, it exists by now and gets the record's date and label. If that text leads
 * elsewhere here, because another note has the title, the link is left out. A link to a memory is created once that
 * memory exists. Links from texts that existed before stay unchanged.
 */
export async function writeLink(
  tx: Tx,
  { vault, now, seq }: Importing & { seq: number },
  { record, ends }: { record: CheckedOf<'link'>; ends: { sourceId: string; targetId: string } },
  isOwnSource: () => Promise<boolean>,
): Promise<Written | 'unsaid'> {
  const at = msOf(record.createdAt) ?? now()
  const { relationType, sourceType, targetType, label, origin } = record
  const found = await findLink(tx, vault, { ...ends, relationType })
  if (origin === 'wiki' && found === undefined) {
    // A memory comes after the notes that name it.
    if (targetType !== 'memory' || !(await isNamedBy(tx, vault, { ...ends, targetType }))) return 'unsaid'
  }
  const isAsSaid = found?.origin !== 'wiki' || (origin === 'wiki' && found.createdAt === at)
  if (found !== undefined && (isAsSaid || record.createdAt === undefined || !(await isOwnSource()))) return existing
  if (found !== undefined) await removeLinks(tx, vault, { seq, at }, [found.linkId])
  const link: NewLink = { ...ends, sourceType, targetType, relationType, label, origin }
  const { linkId } = await insertLink(tx, vault, { seq, at }, link)
  // Links from a text are reverted with the text.
  return origin === 'wiki' ? existing : { status: 'created', recordId: linkId, version: 1 }
}

export async function writeMessage(
  tx: Tx,
  { vault }: Importing,
  { record, messageId }: { record: CheckedOf<'message'>; messageId: string },
  resolve: Resolve,
): Promise<Written> {
  const { kind: _kind, id: _id, acks, threadId, parentMessageId, ...said } = record
  const message = {
    ...said,
    messageId,
    vaultId: vault.id,
    integrationId: said.integrationId,
    subject: said.subject,
    template: said.template,
    threadId: resolve(threadId) ?? threadId,
    parentMessageId: parentMessageId && (resolve(parentMessageId) ?? parentMessageId),
    expiresAt: Date.parse(said.expiresAt),
    createdAt: Date.parse(said.createdAt),
  }
  await insertMessage(tx, vault, message, undefined)
  // A party acknowledges a message once.
  const byParty = new Map(
    acks.map(({ type, id, integrationId, note, at }) => [
      `${type} ${id}`,
      { messageId, by: { type, id }, integrationId, note, at: Date.parse(at) },
    ]),
  )
  await insertAcks(tx, vault, [...byParty.values()])
  return { status: 'created', recordId: messageId, version: 1 }
}

/** Whether the vault already has this document, or there is nothing to import. */
export async function isSettled(
  db: Reader,
  vault: Importing['vault'],
  record: CheckedOf<'document'>,
): Promise<boolean> {
  const [own] = await findDocuments(db, vault, [record.documentType])
  return own !== undefined && keepsOwn(own, await hasEverHadText(db, vault, own), record)
}

/** An imported empty text is still written if it brings former versions and the vault has none. */
const keepsOwn = (own: StoredDocument, hadText: boolean, { content, version = 1 }: CheckedOf<'document'>): boolean =>
  own.content !== '' || (content === '' && (hadText || version <= own.version))

/** Only if the vault doesn't have this document. Its rules on who may change the document stay. */
export async function writeDocument(
  tx: Tx,
  { vault, now }: Importing,
  record: CheckedOf<'document'>,
): Promise<Written> {
  const { documentType: type } = record
  const [own] = await findDocuments(tx, vault, [type])
  if (own !== undefined) {
    const hadText = await hasEverHadText(tx, vault, own)
    if (keepsOwn(own, hadText, record)) return existing
    const { content, templateVersion = own.templateVersion } = record
    const next = own.version + 1
    const version = hadText ? next : Math.max(next, record.version ?? next)
    const at = (hadText ? undefined : msOf(record.updatedAt)) ?? now()
    await replaceDocument(tx, vault, own, {
      draft: { ...own, content, shapers: shapersOf(record.author, record), templateVersion },
      at,
      ...(version !== undefined && { next: version }),
    })
    // The record's former texts follow, and replace empty ones.
    if (!hadText) await forgetFormerTexts(tx, vault, own.id)
    return { status: 'created', recordId: own.id, version }
  }
  const createdAt = msOf(record.createdAt) ?? now()
  const shipped = shippedRules[type]
  const document: Omit<StoredDocument, 'id'> = {
    documentType: type,
    rules: {
      inheritMode: record.inheritMode ?? shipped.inheritMode,
      agentEditable: record.agentEditable ?? shipped.agentEditable,
      appendOnly: record.appendOnly ?? shipped.appendOnly,
    },
    templateVersion: record.templateVersion ?? templates[type].version,
    content: record.content,
    shapers: shapersOf(record.author, record),
    version: record.version ?? 1,
    createdAt,
    updatedAt: msOf(record.updatedAt) ?? createdAt,
  }
  const recordId = await restoreDocument(tx, vault, document)
  return { status: 'created', recordId, version: document.version }
}

/** A former text of an existing document; undefined if the document doesn't exist or isn't newer. */
export async function writeDocumentVersion(
  tx: Tx,
  { vault }: Importing,
  { documentType: type, version, content, author, firstAuthor, trust = 'imported', at }: CheckedOf<'documentVersion'>,
): Promise<Written | undefined> {
  const [own] = await findDocuments(tx, vault, [type])
  if (own === undefined || own.version <= version) return undefined
  const writer = writerOf({ ...author, at: author.at ?? at })
  const former = { version, content, author: firstAuthor ? writerOf({ ...firstAuthor, at }) : writer, writer, trust }
  const isNew = await restoreFormerText(tx, vault, own.id, { ...former, at: Date.parse(at) })
  return isNew ? { status: 'created', recordId: own.id, version } : existing
}

/** What an import will do with a former text: nothing, if the vault's own text stays and is older, or has this version. */
export async function planDocumentVersion(
  db: Reader,
  vault: Importing['vault'],
  { documentType, version }: CheckedOf<'documentVersion'>,
): Promise<'existing' | 'left' | 'created'> {
  const [own] = await findDocuments(db, vault, [documentType])
  if (own === undefined || !(await hasEverHadText(db, vault, own))) return 'created'
  if ((await listVersionWriters(db, vault, own.id)).some((former) => former.version === version)) return 'existing'
  return own.content !== '' && own.version <= version ? 'left' : 'created'
}

export async function writeFolder(
  tx: Tx,
  { vault, now }: Importing,
  { path, createdAt }: CheckedOf<'folder'>,
): Promise<Written> {
  const at = msOf(createdAt) ?? now()
  const [first, ...others] = namesIn(path, 'path')
  if (first === undefined) return existing
  const { folder, wasCreated } = await makeFolders(
    tx,
    vault,
    { parentId: undefined, names: [first, ...others], field: 'path' },
    at,
  )
  return wasCreated ? { status: 'created', recordId: folder.folderId, version: 1 } : existing
}

/** Only if the vault's settings were never changed. */
export async function writeSettings(
  tx: Tx,
  { vault }: Importing,
  { settings }: CheckedOf<'settings'>,
): Promise<Written> {
  const stored = await lockSettings(tx, vault)
  if (stored.cell !== null) return existing
  const version = stored.version + 1
  await storeSettings(tx, vault, patchSettings({}, settings as SettingsOverrides), version)
  return { status: 'created', recordId: vault.id, version }
}
