import type { Client } from './create-client.ts'
import { NotFoundError } from './errors.ts'
import type { CreateNoteInput, CreateNoteOutput, ListNotesInput, Note, NoteOutline } from './generated/operations.ts'
import { hashTag } from './hash-tag.ts'

const pageSize = 100
const readAtOnce = 50

/** Lists all notes under a filter, newest first. Returns none if the folder does not exist yet. */
export async function listNotes(client: Client, filter: ListNotesInput): Promise<NoteOutline[]> {
  const found: NoteOutline[] = []
  for await (const notes of listPages(client, { ...filter, limit: pageSize })) found.push(...notes)
  return found
}

/** Reads the same notes in full, `limit` (at most 50) at a time. Requests each page only when needed. */
export async function* readListed(client: Client, filter: ListNotesInput): AsyncGenerator<Note, void, undefined> {
  for await (const notes of listPages(client, { limit: readAtOnce, ...filter })) yield* await readNotes(client, notes)
}

async function* listPages(client: Client, filter: ListNotesInput): AsyncGenerator<NoteOutline[], void, undefined> {
  try {
    for await (const { notes } of client.notes.list(filter).pages()) yield notes
  } catch (error) {
    if (!isFolderMissing(error)) throw error
  }
}

/** Reads up to 50 notes in full, in this order, without the ones that no longer exist. */
export async function readNotes(client: Client, outlines: readonly { noteId: string }[]): Promise<Note[]> {
  if (outlines.length === 0) return []
  const { notes } = await client.notes.readMany({ noteIds: outlines.map(({ noteId }) => noteId) })
  return notes.filter(({ status }) => status === 'active')
}

/**
 * Creates the first note with a tag. If several programs do so at the same time, one creates it and the others get that
 * note (`created: false`), because all derive the same externalWriteId from the last note that had the tag. Once that
 * note is in the trash, the id is a different one. `reusesLive`: also returns a live note with the tag.
 */
export async function createFirst(
  client: Client,
  tag: string,
  note: CreateNoteInput & { tags?: string[] },
  { reusesLive = false }: { reusesLive?: boolean } = {},
): Promise<Pick<CreateNoteOutput, 'noteId' | 'created'>> {
  const { notes } = await client.notes.list({ tags: [tag], includeTrashed: true, limit: 1 })
  const [last] = notes
  if (reusesLive && last?.status === 'active') return { noteId: last.noteId, created: false }
  const externalWriteId = await hashTag('write', tag, last?.noteId ?? '')
  return client.notes.create({ ...note, tags: [tag, ...(note.tags ?? [])], externalWriteId })
}

const isFolderMissing = (error: unknown) =>
  error instanceof NotFoundError && error.message.startsWith('Folder not found')
