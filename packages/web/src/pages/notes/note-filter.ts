import type { InputOf } from '../../api/call.ts'

/** What the page shows, as it stands in the URL. */
export const shown = {
  /** A folder's id; `root`: notes in none; empty: all. */
  folder: '',
  tag: '',
  q: '',
  state: 'live',
  offset: 0,
  new: false,
  /** Of the note that is to be made. */
  title: '',
  panel: 'outline',
  /** Of the open note, to be compared with what it is now; 0: none. */
  version: 0,
  /** Where an opened note is to begin. */
  heading: '',
  /** Whether an opened note is to be written in at once. */
  write: false,
}

export type NoteFilter = { [Name in keyof typeof shown]: (typeof shown)[Name] }

export type SetFilter = (changes: Partial<NoteFilter>) => void

const pageSize = 25
const root = 'root'

export const isInTrash = ({ state }: NoteFilter) => state === 'trashed'
export const isNarrowed = ({ q, tag }: NoteFilter) => q.trim() !== '' || tag !== ''
/** The chosen folder's id, if one is chosen. */
export const folderIdOf = ({ folder }: NoteFilter) => (folder === '' || folder === root ? undefined : folder)

export function inputOf(filter: NoteFilter, vaultId: string): InputOf<'browse-notes'> {
  const page = { vaultId, sort: 'updated', limit: pageSize, offset: filter.offset } as const
  if (isInTrash(filter)) return { ...page, state: 'trashed' }
  const query = filter.q.trim()
  return {
    ...page,
    q: query === '' ? undefined : query,
    tag: filter.tag === '' ? undefined : [filter.tag],
    folderId: folderIdOf(filter),
    recursive: filter.folder !== root,
  }
}
