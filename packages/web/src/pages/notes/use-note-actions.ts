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
  const doEach = async <Note extends Titled>(
    notes: readonly Note[],
    act: (note: Note) => Promise<UndoStep['undo'] | undefined>,
    done: (count: number) => string,
    undone: string,
  ): Promise<number> => {
    const undos: UndoStep[] = []
    try {
      for (const note of notes) {
        const undo = await act(note)
        if (undo !== undefined) undos.push({ title: note.title, undo })
      }
    } finally {
      if (undos.length > 0)
        toastUndo(done(undos.length), () => mutate(async () => reportUndone(await undoEach(undos), undone)))
    }
    return undos.length
  }
  const discard = (notes: readonly Titled[]) =>
    doEach(
      notes,
      ({ noteId }) => trash(vaultId, noteId),
      (count) => `${countNotes(count)} moved to trash`,
      'Restored',
    )
  const recover = async (notes: readonly Titled[]) => {
    const steps = notes.map(({ noteId, title }) => ({ title, undo: () => restore(vaultId, noteId) }))
    reportUndone(await undoEach(steps), `${countNotes(notes.length)} restored`, 'restored')
  }
  const move = async (notes: readonly Placed[], folderPath: string) => {
    const count = await doEach(
      notes,
      (note) => moveTo(vaultId, note, folderPath),
      (moved) => `${countNotes(moved)} moved ${folderPath === '' ? 'out of folders' : `to ${folderPath}`}`,
      'Moved back',
    )
    if (count === 0) toast(folderPath === '' ? 'Already outside of folders' : `Already in ${folderPath}`)
  }
  return {
    isBusy: isPending,
    discard: (notes: readonly Titled[], onDone?: () => void) => mutate(() => discard(notes).then(onDone)),
    recover: (notes: readonly Titled[], onDone?: () => void) => mutate(() => recover(notes).then(onDone)),
    move: (notes: readonly Placed[], folderPath: string, onDone?: () => void) =>
      mutate(() => move(notes, folderPath).then(onDone)),
  }
}

const restore = (vaultId: string, noteId: string) => call('restore-note', { vaultId, noteId })

/** Returns how to undo it. */
async function trash(vaultId: string, noteId: string): Promise<UndoStep['undo']> {
  await call('delete-note', { vaultId, noteId })
  return () => restore(vaultId, noteId)
}

/** Returns how to undo it; undefined if the note was there already. */
async function moveTo(vaultId: string, note: Placed, folderPath: string): Promise<UndoStep['undo'] | undefined> {
  const { moved, folderId } = await call('move-note', { vaultId, noteId: note.noteId, folderPath })
  return moved ? () => moveBack(vaultId, note, folderId) : undefined
}

/** Moving takes no expected version. A note that is elsewhere by now stays there. */
async function moveBack(vaultId: string, { noteId, folderId }: Placed, movedTo: string | null): Promise<void> {
  const { note } = await call('read-note', { vaultId, noteId })
  if (note.folderId !== movedTo) throw new CannotUndo('changed')
  await call('move-note', { vaultId, noteId, folderId }).catch((error: unknown) => {
    throw isNotFound(error, 'folderId') ? new Error('Its former folder no longer exists.') : error
  })
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
