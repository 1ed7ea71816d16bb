import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import { wordsOf, type Kind } from './trash-state.ts'

const reads = [
  'read-trash',
  'list-memories',
  'list-tasks',
  'list-notes',
  'count-memories',
  'list-folders',
  'read-overview',
  'list-vaults',
  'list-run-turns',
] as const

/** Restores records or deletes them permanently, one after the other. An error stops the rest. */
export function useTrashActions(vaultId: string, kind: Kind) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const { one, many } = wordsOf[kind]

  async function act(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      toastError(error)
    }
    await refresh(client, reads)
    setBusy(false)
  }

  const undoRestore = (ids: readonly string[]) =>
    act(async () => {
      if (kind !== 'notes') await call('archive-memories', { vaultId, ids: [...ids] })
      else for (const noteId of ids) await call('delete-note', { vaultId, noteId })
      toast(`${countOf(ids.length, one, many)} ${kind === 'notes' ? 'moved to trash' : 'archived'}`)
    })

  return {
    isBusy,
    restore: (ids: readonly string[], onDone: () => void) =>
      act(async () => {
        if (kind !== 'notes') await call('update-memories', { vaultId, ids: [...ids], archived: false })
        else for (const noteId of ids) await call('restore-note', { vaultId, noteId })
        onDone()
        toastUndo(`${countOf(ids.length, one, many)} restored`, () => void undoRestore(ids))
      }),
    erase: (ids: readonly string[], onDone: () => void) =>
      act(async () => {
        for (const id of ids)
          await (kind === 'notes' ? call('erase-note', { vaultId, noteId: id }) : call('erase-memory', { vaultId, id }))
        onDone()
        toast(`${countOf(ids.length, one, many)} deleted permanently`)
      }),
  }
}
