import type { InputOf } from '../../api/call.ts'
import { describeUrl, oneOf, textOf, type Changes } from '../../shell/url-state.ts'

const root = 'root'

export const noteUrl = describeUrl(
  {
    /** A folder's id; `root`: only notes outside folders; empty: all notes. */
    folder: '',
    tag: '',
    q: '',
    state: oneOf(['live', 'trashed'], 'live'),
    offset: 0,
    new: false,
    /** The title of the note to create. */
    title: '',
    panel: 'outline',
    /** The version of the open note to compare with the current one; 0: none. */
    version: 0,
    /** The heading to scroll to when a note is opened. */
    heading: '',
    /** Whether the editor gets the focus when a note is opened. */
    write: false,
  },
  { filters: ['q', 'tag'] },
)

export type NoteFilter = typeof noteUrl.defaults
export type SetFilter = (changes: Changes<NoteFilter>) => void

const pageSize = 25

export const isInTrash = ({ state }: NoteFilter) => state === 'trashed'
/** The selected folder's id, if one is selected. */
export const folderIdOf = ({ folder }: NoteFilter) => (folder === '' || folder === root ? undefined : folder)

export function inputOf(filter: NoteFilter, vaultId: string): InputOf<'list-notes'> {
  const page = { vaultId, sort: 'updated', limit: pageSize, offset: filter.offset } as const
  if (isInTrash(filter)) return { ...page, state: 'trashed' }
  return {
    ...page,
    q: textOf(filter.q),
    tags: filter.tag === '' ? undefined : [filter.tag],
    folderId: folderIdOf(filter),
    recursive: filter.folder !== root,
  }
}
