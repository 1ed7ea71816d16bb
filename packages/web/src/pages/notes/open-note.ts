import type { Note } from '@holdfast/client/dashboard'
import type { NoteFilter, SetFilter } from './note-filter.ts'
import type { Changes } from '../../shell/url-state.ts'

/** The properties of the note view. */
export interface NoteViewProps {
  vaultId: string
  id: string
  filter: NoteFilter
  setFilter: SetFilter
  isWide: boolean
  folderPaths: readonly string[]
  onOpen: (id: string, more?: Changes<NoteFilter>) => void
  onClose: () => void
}

/** The properties of its parts, once the note is loaded. */
export interface OpenNoteProps extends NoteViewProps {
  note: Note
  links: readonly { noteId: string; title: string }[]
  unresolvedLinks: readonly string[]
}
