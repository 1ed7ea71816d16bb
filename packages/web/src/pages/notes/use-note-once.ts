import type { Note } from '@holdfast/client/dashboard'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isNotFound } from '../../api/call-error.ts'
import { keyOf, useOperation } from '../../api/queries.ts'
import { forgetNote } from './opened-notes.ts'

/** A note for its title. It isn't loaded again when notes change, because a page may show twenty of these. */
export function useNoteOnce(vaultId: string, id: string): Note | undefined {
  const input = { vaultId, noteId: id }
  const isKnown = useQueryClient().getQueryData(keyOf('read-note', input)) !== undefined
  const { data, error } = useOperation('read-note', input, { enabled: !isKnown })
  const isGone = isNotFound(error, 'noteId') && data === undefined
  useEffect(() => {
    if (isGone) forgetNote(vaultId, id)
  }, [isGone, vaultId, id])
  return data?.note
}
