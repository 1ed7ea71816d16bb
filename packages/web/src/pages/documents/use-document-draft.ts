import { useState } from 'react'
import type { WrittenText } from './written-text.ts'

interface Draft {
  text: string
  /** What it was begun from. */
  base: string
  version: number
}

export interface DocumentDraft {
  text: string
  /** Of the document that it was begun from. */
  version: number
  isDirty: boolean
  write: (text: string) => void
  /** Goes on from another version, with what is written here by now. */
  keepOn: (newest: WrittenText) => void
  /** Begins anew from another version. */
  beginFrom: (newest: WrittenText) => void
}

const draftOf = ({ text, version }: WrittenText): Draft => ({ text, base: text, version })

/**
 * The text as it is being written. It follows the document as long as nobody has written here, and where only rules
 * changed; else what was written stays, and saving it tells that somebody was faster.
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
    keepOn: (newest) => setDraft(({ text }) => ({ ...draftOf(newest), text })),
    beginFrom: (newest) => setDraft(draftOf(newest)),
  }
}
