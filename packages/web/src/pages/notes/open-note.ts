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

/** What the page asks of the text, in the editor or the reading view. Places count from the start of the body (note-lead.ts). */
export interface TextHandle {
  focus(): void
  goTo(at: number): void
  /** The place at the top of the screen, or of the heading above it; 0 at the beginning. */
  top(): number
}

export type View = 'read' | 'edit'

/** Notes are mostly read. An empty one waits for its text. */
export const presetView = ({ content }: Note): View => (content.trim() === '' ? 'edit' : 'read')
