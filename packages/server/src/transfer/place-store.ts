import { sha256 } from '../crypto/hash.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { findWrittenMemories, type ExternalKind } from '../memories/claim-store.ts'
import { findWrittenNotes, notesIn } from '../notes/store.ts'

/**
 * Which id a record gets here, and whether it exists already. Records keep their ids, so references in texts stay valid. If
 * another vault of the same person has the id, a new one is derived from id and vault, so an import can be repeated.
 */

export interface Place {
  id: string
  isThere: boolean
}

export const placeNodes = (db: Reader, scope: VaultScope, ids: readonly string[]): Promise<Map<string, Place>> =>
  place(scope, ids, (asked) =>
    db
      .selectFrom('indexEntries')
      .select(['itemId as id', 'vaultId'])
      .where('userId', '=', scope.userId)
      .where('itemId', 'in', asked)
      .execute(),
  )

export const placeMessages = (db: Reader, scope: VaultScope, ids: readonly string[]): Promise<Map<string, Place>> =>
  place(scope, ids, (asked) =>
    db
      .selectFrom('messages')
      .select(['id', 'vaultId'])
      .where('userId', '=', scope.userId)
      .where('id', 'in', asked)
      .execute(),
  )

async function place(
  scope: VaultScope,
  ids: readonly string[],
  find: (ids: string[]) => Promise<{ id: string; vaultId: string }[]>,
): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  const unique = [...new Set(ids)]
  for (let at = 0; at < unique.length; at += idsAtOnce) {
    const some = unique.slice(at, at + idsAtOnce)
    const rows = await find(some.flatMap((id) => [id, idIn(scope.id, id)]))
    const vaultOf = new Map(rows.map(({ id, vaultId }) => [id, vaultId]))
    for (const id of some) places.set(id, placeOf(scope.id, id, vaultOf))
  }
  return places
}

const idsAtOnce = 500

function placeOf(vaultId: string, id: string, vaultOf: ReadonlyMap<string, string>): Place {
  const other = idIn(vaultId, id)
  if (vaultOf.get(other) === vaultId) return { id: other, isThere: true }
  const holder = vaultOf.get(id)
  return holder === undefined || holder === vaultId
    ? { id, isThere: holder !== undefined }
    : { id: other, isThere: false }
}

/** A valid id with the time and counter of the original, so records keep their order; the rest is a hash of the original id and the vault. */
function idIn(vaultId: string, id: string): string {
  const hash = sha256(`${vaultId}/${id}`).toString('hex')
  return `${id.slice(0, 14)}7${id.slice(15, 26)}${hash.slice(0, 10)}`
}

export const isId = (ref: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(ref)

/** The records that were written with these keys, by key. */
export async function findWritten(
  db: Reader,
  scope: VaultScope,
  kind: ExternalKind | 'note',
  externalWriteIds: readonly string[],
): Promise<Map<string, string>> {
  const written = new Map<string, string>()
  const unique = [...new Set(externalWriteIds)]
  for (let at = 0; at < unique.length; at += idsAtOnce) {
    const some = unique.slice(at, at + idsAtOnce)
    const found =
      kind === 'note' ? await findWrittenNotes(db, scope, some) : await findWrittenMemories(db, scope, kind, some)
    for (const [key, id] of found) written.set(key, id)
  }
  return written
}

/** The ids among these (at most a batch) of memories that are archived and notes that are in the trash. */
export async function listArchivedIds(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('indexEntries')
    .select('itemId')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('archived', '=', 1)
    .where('itemId', 'in', ids)
    .execute()
  return new Set(rows.map(({ itemId }) => itemId))
}

export async function findNoteVersionNumber(db: Reader, scope: VaultScope, noteId: string): Promise<number> {
  const { version } = await notesIn(db, scope).select('version').where('id', '=', noteId).executeTakeFirstOrThrow()
  return version
}

export const findVersionAndAuthor = (
  db: Reader,
  scope: VaultScope,
  memoryId: string,
): Promise<{ version: number; integrationId: string | null }> =>
  db
    .selectFrom('memories')
    .select(['version', 'integrationId'])
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('id', '=', memoryId)
    .executeTakeFirstOrThrow()
