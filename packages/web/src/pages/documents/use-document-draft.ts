import type { PersonsDocument } from '@holdfast/client/dashboard'
import { useState } from 'react'

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
  keepOn: (newest: PersonsDocument) => void
  /** Begins anew from another version. */
  beginFrom: (newest: PersonsDocument) => void
}

const draftOf = ({ ownContent, version }: PersonsDocument): Draft => {
  const base = ownContent ?? ''
  return { text: base, base, version }
}

/**
 * The text as it is being written. It follows the document as long as nobody has written here, and where only rules
 * changed; else what was written stays, and saving it tells that somebody was faster.
 */
export function useDocumentDraft(document: PersonsDocument): DocumentDraft {
  const [draft, setDraft] = useState(() => draftOf(document))
  const isDirty = draft.text !== draft.base
  let current = draft
  if (document.version > draft.version && (!isDirty || (document.ownContent ?? '') === draft.base)) {
    current = { ...draftOf(document), ...(isDirty && { text: draft.text }) }
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
