import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { CannotUndo, reportUndone, undoEach, type UndoStep } from '../../components/records/undo-each.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import type { OperationName } from '../../api/operations.ts'

export interface Placed {
  noteId: string
  title: string
  folderId: string | null
}

/** Actions on one or more notes. Each shows a toast with undo. `onDone` runs before the lists are refreshed. */
export function useNoteActions(vaultId: string) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (step: () => Promise<void>) => step(),
    onError: (error) => toastError(error),
    onSettled: () => refreshNotes(client),
  })
  const discard = async (ids: readonly string[]) => {
    for (const noteId of ids) await call('delete-note', { vaultId, noteId })
    toastUndo(`${countNotes(ids.length)} moved to trash`, () => mutate(() => recover(ids)))
  }
  const recover = async (ids: readonly string[]) => {
    for (const noteId of ids) await call('restore-note', { vaultId, noteId })
    toast(`${countNotes(ids.length)} restored`)
  }
  const move = async (notes: readonly Placed[], folderPath: string) => {
    const undos: UndoStep[] = []
    for (const note of notes) {
      const { moved, folderId } = await call('move-note', { vaultId, noteId: note.noteId, folderPath })
      if (moved) undos.push({ title: note.title, undo: () => moveBack(note, folderId) })
    }
    const where = folderPath === '' ? 'out of folders' : `to ${folderPath}`
    toastUndo(`${countNotes(notes.length)} moved ${where}`, () =>
      mutate(async () => reportUndone(await undoEach(undos), 'Moved back')),
    )
  }
  /** Moving takes no expected version. A note that is elsewhere by now stays there. */
  const moveBack = async ({ noteId, folderId }: Placed, movedTo: string | null) => {
    const { note } = await call('read-note', { vaultId, noteId })
    if (note.folderId !== movedTo) throw new CannotUndo('changed')
    await call('move-note', { vaultId, noteId, folderId })
  }
  return {
    isBusy: isPending,
    discard: (ids: readonly string[], onDone?: () => void) => mutate(() => discard(ids).then(onDone)),
    recover: (ids: readonly string[], onDone?: () => void) => mutate(() => recover(ids).then(onDone)),
    move: (notes: readonly Placed[], folderPath: string, onDone?: () => void) =>
      mutate(() => move(notes, folderPath).then(onDone)),
  }
}

export const countNotes = (count: number) => countOf(count, 'note')

/** The queries to refresh after a note changes. */
const noteReads: ReadonlySet<unknown> = new Set<OperationName>([
  'list-notes',
  'read-note',
  'list-folders',
  'read-backlinks',
  'read-mentions',
  'read-note-versions',
  'get-links',
  'read-graph',
  'suggest-tags',
  'list-vaults',
])

/** `known`: the id of a note whose text is already up to date. */
export const refreshNotes = (client: QueryClient, known?: string) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [name, , input] }) =>
      noteReads.has(name) && (known === undefined || name !== 'read-note' || idIn(input) !== known),
  })

const idIn = (input: unknown) => (input as { noteId?: string } | undefined)?.noteId
