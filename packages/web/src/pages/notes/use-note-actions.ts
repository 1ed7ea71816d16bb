import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { isNotFound } from '../../api/call-error.ts'
import { call } from '../../api/call.ts'
import { CannotUndo, reportUndone, undoEach, type UndoStep } from '../../components/records/undo-each.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import type { OperationName } from '../../api/operations.ts'

interface Titled {
  noteId: string
  title: string
}

export interface Placed extends Titled {
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
  /** Does it to one note after the other. What was done before a failure can be undone, too. Returns to how many it was done. */
  const doEach = async (
    notes: readonly Titled[],
    act: (noteId: string) => Promise<UndoStep['undo'] | undefined>,
    done: (count: number) => string,
    undone: string,
  ): Promise<number> => {
    const undos: UndoStep[] = []
    try {
      for (const { noteId, title } of notes) {
        const undo = await act(noteId)
        if (undo !== undefined) undos.push({ title, undo })
      }
    } finally {
      if (undos.length > 0)
        toastUndo(done(undos.length), () => mutate(async () => reportUndone(await undoEach(undos), undone)))
    }
    return undos.length
  }
  const restore = (noteId: string) => call('restore-note', { vaultId, noteId })
  const discard = (notes: readonly Titled[]) =>
    doEach(
      notes,
      async (noteId) => {
        await call('delete-note', { vaultId, noteId })
        return () => restore(noteId)
      },
      (count) => `${countNotes(count)} moved to trash`,
      'Restored',
    )
  const recover = async (notes: readonly Titled[]) => {
    const steps = notes.map(({ noteId, title }) => ({ title, undo: () => restore(noteId) }))
    reportUndone(await undoEach(steps), `${countNotes(notes.length)} restored`, 'restored')
  }
  const move = async (notes: readonly Placed[], folderPath: string) => {
    const former = new Map(notes.map(({ noteId, folderId }) => [noteId, folderId]))
    const count = await doEach(
      notes,
      async (noteId) => {
        const { moved, folderId } = await call('move-note', { vaultId, noteId, folderPath })
        return moved ? () => moveBack(noteId, former.get(noteId) ?? null, folderId) : undefined
      },
      (moved) => `${countNotes(moved)} moved ${folderPath === '' ? 'out of folders' : `to ${folderPath}`}`,
      'Moved back',
    )
    if (count === 0) toast(folderPath === '' ? 'Already outside of folders' : `Already in ${folderPath}`)
  }
  /** Moving takes no expected version. A note that is elsewhere by now stays there. */
  const moveBack = async (noteId: string, former: string | null, movedTo: string | null) => {
    const { note } = await call('read-note', { vaultId, noteId })
    if (note.folderId !== movedTo) throw new CannotUndo('changed')
    await call('move-note', { vaultId, noteId, folderId: former }).catch((error: unknown) => {
      throw isNotFound(error, 'folderId') ? new Error('Its former folder no longer exists.') : error
    })
  }
  return {
    isBusy: isPending,
    discard: (notes: readonly Titled[], onDone?: () => void) => mutate(() => discard(notes).then(onDone)),
    recover: (notes: readonly Titled[], onDone?: () => void) => mutate(() => recover(notes).then(onDone)),
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
