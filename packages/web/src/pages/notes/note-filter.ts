import type { InputOf } from '../../api/call.ts'
import { describeUrl, oneOf, textOf, type Changes } from '../../shell/url-state.ts'

const root = 'root'

export const noteUrl = describeUrl(
  {
    /** A folder's id; `root`: only notes outside folders; empty: all notes. */
    folder: '',
    tag: '',
    q: '',
    /** `recent`: the notes opened last in this browser. */
    state: oneOf(['live', 'trashed', 'recent'], 'live'),
    offset: 0,
    new: false,
    /** The title of the note to create. */
    title: '',
    /** How the open note is shown. Default: long and old notes are read, others edited. */
    view: oneOf(['read', 'edit'], ''),
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

/** The most that the server lists at once, because a list in a pane is scrolled rather than turned. */
const pageSize = 100

export const isInTrash = ({ state }: NoteFilter) => state === 'trashed'
/** A star is a tag, so the person sees it in every browser. */
export const starTag = 'starred'
export const isStarred = ({ tag, folder, state }: NoteFilter) => tag === starTag && folder === '' && state === 'live'
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

/** The query of a link to another note: the list stays as it is, and the note is shown in its own view. */
export const noteSearch = (search: Readonly<Record<string, unknown>>) =>
  noteUrl.write(search, { view: '', heading: '', write: false, version: 0 })
