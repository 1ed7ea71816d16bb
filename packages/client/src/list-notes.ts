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
 * Lists the same notes oldest first, up to 100 at a time. Requests each page only when needed. Notes that are added meanwhile are
 * listed too.
 */
export async function* listOldest(client: Client, filter: ListNotesInput): AsyncGenerator<NoteOutline[]> {
  const first = await client.notes.list({ ...filter, limit: pageSize })
  if (!first.hasMore) return yield first.notes.toReversed()
  let { total } = first
  for (let left = total; left > 0;) {
    const offset = Math.max(0, left - pageSize)
    const page = await client.notes.list({ ...filter, limit: left - offset, offset })
    // Notes count from the newest, so a new one moves the others.
    left += page.total - total
    if (page.total === total) {
      yield page.notes.toReversed()
      left = offset
    }
    total = page.total
  }
}

/**
 * Creates the first note with a tag. If several programs do so at the same time, one creates it and the others get that
 * note (`created: false`), because all derive the same externalWriteId from the last note that had the tag. Once that
 * note is in the trash, the id is a different one. `reusesLive`: also returns a live note with the tag, as `live`.
 */
export async function createFirst(
  client: Client,
  tag: string,
  note: CreateNoteInput & { tags?: string[] },
  { reusesLive = false }: { reusesLive?: boolean } = {},
): Promise<Pick<CreateNoteOutput, 'noteId' | 'created'> & { live?: NoteOutline }> {
  const { notes } = await client.notes.list({ tags: [tag], includeTrashed: true })
  const live = notes.find(({ status }) => status === 'active')
  if (reusesLive && live !== undefined) return { noteId: live.noteId, created: false, live }
  const externalWriteId = await hashTag('write', tag, notes[0]?.noteId ?? '')
  return client.notes.create({ ...note, tags: [tag, ...(note.tags ?? [])], externalWriteId })
}

const isFolderMissing = (error: unknown) =>
  error instanceof NotFoundError && error.message.startsWith('Folder not found')
