import type { Client } from './create-client.ts'
import { NotFoundError } from './errors.ts'
import type { ListNotesInput, Note, NoteOutline } from './generated/operations.ts'

const pageSize = 100
const readAtOnce = 50

/** All notes under a filter, the newest first; none where its folder does not exist, since nobody has written there yet. */
export async function listNotes(client: Client, filter: ListNotesInput): Promise<NoteOutline[]> {
  const found: NoteOutline[] = []
  try {
    for await (const note of client.notes.list({ ...filter, limit: pageSize })) found.push(note)
  } catch (error) {
    if (isFolderMissing(error)) return []
    throw error
  }
  return found
}

/** The notes whole, in this order, read as they are needed; those that are gone are left out. */
export async function* readNotes(
  client: Client,
  outlines: readonly { noteId: string }[],
): AsyncGenerator<Note, void, undefined> {
  for (let from = 0; from < outlines.length; from += readAtOnce) {
    const noteIds = outlines.slice(from, from + readAtOnce).map(({ noteId }) => noteId)
    const { notes } = await client.notes.readMany({ noteIds })
    yield* notes.filter(({ status }) => status === 'active')
  }
}

export const isFolderMissing = (error: unknown) =>
  error instanceof NotFoundError && error.message.startsWith('Folder not found')
