import { z } from 'zod'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { page, pageOf } from '../operation/page.ts'
import { listDescendantIds } from './folder-store.ts'
import { findFolderAt, getFolder, refuseTwoPlaces } from './folder.ts'
import { listOutlines, type NoteFilter } from './list-store.ts'
import { describeOutline, exampleOutline, noteOutlineRecord } from './note.ts'
import { placesOf } from './read-note.ts'

/** A page of a vault's notes, for agents and for the person. */

export const notePage = z.looseObject({ notes: z.array(noteOutlineRecord), ...page })

export type NotePage = z.input<typeof notePage>

export async function findNotePage(
  db: Reader,
  scope: VaultScope,
  filter: NoteFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<NotePage> {
  const { notes, total } = await listOutlines(db, scope, filter, { limit, offset })
  const places = await placesOf(db, scope, notes)
  return { notes: notes.map((note) => describeOutline(note, places)), ...pageOf({ limit, offset }, total) }
}

/** What a folder stands for in a filter; 404 where it is not there. */
export async function foldersOf(
  db: Reader,
  scope: VaultScope,
  place: { folderId: string | undefined; folderPath: string | undefined },
  recursive: boolean,
): Promise<NoteFilter['folderIds']> {
  refuseTwoPlaces(place)
  const folderId = place.folderId ?? (await findFolderAt(db, scope, place.folderPath ?? ''))
  if (folderId === undefined) return recursive ? undefined : 'root'
  await getFolder(db, scope, folderId)
  return recursive ? listDescendantIds(db, scope, folderId) : [folderId]
}

export const exampleNotePage: NotePage = { notes: [exampleOutline], total: 1, limit: 20, offset: 0, hasMore: false }
