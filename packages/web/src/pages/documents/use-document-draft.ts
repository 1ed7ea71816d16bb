import { useState } from 'react'
import type { WrittenText } from './written-text.ts'

interface Draft {
  text: string
  /** The saved text that the draft started from. */
  base: string
  version: number
}

export interface DocumentDraft {
  text: string
  /** The version that the draft started from. */
  version: number
  isDirty: boolean
  write: (text: string) => void
  /** Keeps the text and bases it on another version. */
  rebaseOn: (newest: WrittenText) => void
  /** Discards the text and starts over from another version. */
  startFrom: (newest: WrittenText) => void
}

const draftOf = ({ text, version }: WrittenText): Draft => ({ text, base: text, version })

/**
 * The text being edited. It follows the saved document while there are no local changes, and moves to a version in which
 * only the rules changed. If someone else changed the text, local changes stay and saving reports a conflict.
 */
export function useDocumentDraft(written: WrittenText): DocumentDraft {
  const [draft, setDraft] = useState(() => draftOf(written))
  const isDirty = draft.text !== draft.base
  let current = draft
  if (written.version > draft.version && (!isDirty || written.text === draft.base)) {
    current = { ...draftOf(written), ...(isDirty && { text: draft.text }) }
    setDraft(current)
  }
  return {
    text: current.text,
    version: current.version,
    isDirty: current.text !== current.base,
    write: (text) => setDraft({ ...current, text }),
    rebaseOn: (newest) => setDraft(({ text }) => ({ ...draftOf(newest), text })),
    startFrom: (newest) => setDraft(draftOf(newest)),
  }
}
