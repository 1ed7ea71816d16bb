import type { Client } from './create-client.ts'
import { NotFoundError } from './errors.ts'
import type { CreateNoteInput, CreateNoteOutput, ListNotesInput, Note, NoteOutline } from './generated/operations.ts'
import { tagOf } from './tag-of.ts'

const pageSize = 100
const readAtOnce = 50

/** All notes under a filter, the newest first; none where its folder does not exist, since nobody has written there yet. */
export async function listNotes(client: Client, filter: ListNotesInput): Promise<NoteOutline[]> {
  const found: NoteOutline[] = []
  for await (const notes of pagesOf(client, { ...filter, limit: pageSize })) found.push(...notes)
  return found
}

/** The same whole, `limit` (at most 50) at a time, and each page only when it is needed. */
export async function* readListed(client: Client, filter: ListNotesInput): AsyncGenerator<Note, void, undefined> {
  for await (const notes of pagesOf(client, { limit: readAtOnce, ...filter })) yield* await readNotes(client, notes)
}

async function* pagesOf(client: Client, filter: ListNotesInput): AsyncGenerator<NoteOutline[], void, undefined> {
  try {
    for await (const { notes } of client.notes.list(filter).pages()) yield notes
  } catch (error) {
    if (!isFolderMissing(error)) throw error
  }
}

/** At most 50 notes whole, in this order; those that are gone are left out. */
export async function readNotes(client: Client, outlines: readonly { noteId: string }[]): Promise<Note[]> {
  if (outlines.length === 0) return []
  const { notes } = await client.notes.readMany({ noteIds: outlines.map(({ noteId }) => noteId) })
  return notes.filter(({ status }) => status === 'active')
}

/**
 * Writes the first note under a tag. Of several programs that do so at once, one creates it, and the others are told of that
 * one (`created: false`): all derive the same id to write by from the last note that ever had the tag, so that it is another
 * one as soon as that note was trashed.
 */
export async function createFirst(
  client: Client,
  tag: string,
  note: CreateNoteInput & { tags?: string[] },
): Promise<CreateNoteOutput> {
  const { notes } = await client.notes.list({ tags: [tag], includeTrashed: true, limit: 1 })
  const externalWriteId = await tagOf('write', tag, notes[0]?.noteId ?? '')
  return client.notes.create({ ...note, tags: [tag, ...(note.tags ?? [])], externalWriteId })
}

const isFolderMissing = (error: unknown) =>
  error instanceof NotFoundError && error.message.startsWith('Folder not found')
