import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { NodeType } from '../links/store.ts'
import { memoryIdIn, memoryTitle } from '@holdfast/transfer/text/wiki-links'
import { keyTag, notesIn } from './store.ts'

/** Which notes link to which titles, and which notes hold them. */

const rowsAtOnce = 500

/** Replaces the titles that a note links to; pass no keys if it is not live. */
export async function setWikiTargets(
  tx: Tx,
  scope: VaultScope,
  { noteId, keys, isNew = false }: { noteId: string; keys: readonly string[]; isNew?: boolean },
): Promise<void> {
  if (!isNew)
    await tx
      .deleteFrom('wikiTargets')
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('noteId', '=', noteId)
      .execute()
  for (let at = 0; at < keys.length; at += rowsAtOnce) {
    const rows = keys.slice(at, at + rowsAtOnce).map((key) => ({
      userId: scope.userId,
      vaultId: scope.id,
      noteId,
      titleTag: keyTag(scope, key),
    }))
    await tx.insertInto('wikiTargets').values(rows).execute()
  }
}

/** The holders of titles, by key: the oldest live note with each title. A key that names a memory has no holder. */
export async function findHolders(
  db: Reader,
  scope: VaultScope,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const holders = new Map<string, string>()
  const ofNotes = keys.filter((key) => memoryIdIn(key) === undefined)
  for (let at = 0; at < ofNotes.length; at += rowsAtOnce) {
    const byTag = new Map(ofNotes.slice(at, at + rowsAtOnce).map((key) => [hex(keyTag(scope, key)), key]))
    const rows = await notesIn(db, scope)
      .select((note) => ['titleTag', note.fn.min<string>('id').as('noteId')])
      .where(
        'titleTag',
        'in',
        [...byTag.keys()].map((tag) => Buffer.from(tag, 'hex')),
      )
      .where('trashedAt', 'is', null)
      .groupBy('titleTag')
      .execute()
    for (const { titleTag, noteId } of rows) {
      const key = byTag.get(hex(titleTag))
      if (key !== undefined) holders.set(key, noteId)
    }
  }
  return holders
}

const hex = (tag: Uint8Array): string => Buffer.from(tag).toString('hex')

/** Whether the text of a live note links to another by the title that it holds, or to a memory by its id. */
export async function isNamedBy(
  db: Reader,
  scope: VaultScope,
  { sourceId, targetId, targetType }: { sourceId: string; targetId: string; targetType: NodeType },
): Promise<boolean> {
  if (targetType === 'memory') return namesMemory(db, scope, sourceId, targetId)
  const target = await db
    .selectFrom('wikiTargets as named')
    .innerJoin('notes as note', (join) =>
      join.onRef('note.userId', '=', 'named.userId').onRef('note.titleTag', '=', 'named.titleTag'),
    )
    .select('note.titleTag')
    .where('named.userId', '=', scope.userId)
    .where('named.vaultId', '=', scope.id)
    .where('named.noteId', '=', sourceId)
    .where('note.vaultId', '=', scope.id)
    .where('note.id', '=', targetId)
    .where('note.trashedAt', 'is', null)
    .executeTakeFirst()
  if (target === undefined) return false
  const holder = await notesIn(db, scope)
    .select((note) => note.fn.min<string>('id').as('noteId'))
    .where('titleTag', '=', target.titleTag)
    .where('trashedAt', 'is', null)
    .executeTakeFirst()
  return holder?.noteId === targetId
}

async function namesMemory(db: Reader, scope: VaultScope, noteId: string, memoryId: string): Promise<boolean> {
  const row = await db
    .selectFrom('wikiTargets')
    .select('noteId')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('noteId', '=', noteId)
    .where('titleTag', '=', keyTag(scope, memoryTitle(memoryId)))
    .executeTakeFirst()
  return row !== undefined
}

/** The live notes that link to a title, oldest first, with their versions. */
export async function listNamers(
  db: Reader,
  scope: VaultScope,
  key: string,
  limit: number,
): Promise<{ noteId: string; version: number }[]> {
  return db
    .selectFrom('wikiTargets as target')
    .innerJoin('notes as note', (join) =>
      join.onRef('note.userId', '=', 'target.userId').onRef('note.id', '=', 'target.noteId'),
    )
    .select(['note.id as noteId', 'note.version'])
    .where('target.userId', '=', scope.userId)
    .where('target.vaultId', '=', scope.id)
    .where('target.titleTag', '=', keyTag(scope, key))
    .orderBy('target.noteId')
    .limit(limit)
    .execute()
}

/** The links to a note that come from texts. Links that someone created by hand are not included, whatever their relation. */
export async function listWikiLinksTo(
  db: Reader,
  scope: VaultScope,
  noteId: string,
  limit: number,
): Promise<{ linkId: string; sourceId: string }[]> {
  return db
    .selectFrom('links')
    .select(['id as linkId', 'sourceId'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('targetId', '=', noteId)
    .where('relationType', '=', 'wiki_link')
    .where('origin', '=', 'wiki')
    .where('removedAt', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}
