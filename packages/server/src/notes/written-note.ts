import type { VaultContext } from '../operation/context.ts'
import { describeNote, exampleNote, noteRecord, resolvedLinks, type Note, type NoteRecord } from './note.ts'
import { placesOf } from './read-note.ts'

/** What the dashboard is told of a note that it has written. */

export const writtenNote = { note: noteRecord, ...resolvedLinks }

export async function describeWritten(
  { db, vault }: Pick<VaultContext, 'db' | 'vault'>,
  note: Note,
): Promise<NoteRecord> {
  return describeNote(note, await placesOf(db.read, vault, [note]))
}

export const personsNote: NoteRecord = {
  ...exampleNote,
  noteId: '0198c5f0-0000-7000-8000-000000000203',
  id: '0198c5f0-0000-7000-8000-000000000203',
  folderId: null,
  folderPath: null,
  title: 'House rules',
  content: 'Nothing is deployed on a Friday, see [[Deploying Holdfast]].',
  tags: [],
  wordCount: 9,
  agentId: 'user',
}

export const exampleLinks = {
  links: [{ noteId: exampleNote.noteId, title: exampleNote.title }],
  unresolvedLinks: [],
}
