import { z } from 'zod'
import type { KnownTitle } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { dashboardVaultOperation } from '../operation/operation.ts'
import { maxTitleLength, titleKey } from '../text/wiki-links.ts'
import { pathsOf } from './folder.ts'
import { exampleNote } from './note.ts'
import { findOutlines } from './store.ts'

export const suggestNotes = dashboardVaultOperation({
  name: 'suggest-notes',
  method: 'GET',
  path: '/api/notes/suggest',
  summary: 'Notes whose titles go on as what is typed: first those that begin so, then those of which a word does.',
  effect: 'read',
  input: z.object({
    ...fields.ownVault,
    q: z
      .string()
      .max(maxTitleLength)
      .default('')
      .describe('What is typed. Letter case and white space do not matter; empty: the notes that were changed last.'),
    limit: z.coerce.number().int().min(1).max(50).default(10).describe('How many to return, 1 to 50.'),
  }),
  output: z.looseObject({
    notes: z.array(
      z.looseObject({
        noteId: z.uuid(),
        title: z.string(),
        folderId: z.uuid().nullable(),
        folderPath: z.string().nullable(),
      }),
    ),
    total: z.int().describe('How many titles go on so.'),
  }),
  examples: {
    input: { vaultId: exampleNote.vaultId, q: 'depl' },
    output: {
      notes: [
        {
          noteId: exampleNote.noteId,
          title: exampleNote.title,
          folderId: exampleNote.folderId,
          folderPath: exampleNote.folderPath,
        },
      ],
      total: 1,
    },
  },
  async run({ q, limit }, { db, vault, noteTitles }) {
    const found = rankTitles(await noteTitles.read(vault), titleKey(q))
    const ids = found.slice(0, limit).map(({ noteId }) => noteId)
    const notes = new Map((await findOutlines(db.read, vault, ids)).map((note) => [note.noteId, note]))
    const paths = await pathsOf(db.read, vault, [...notes.values()])
    return {
      notes: ids.flatMap((noteId) => {
        const note = notes.get(noteId)
        if (note === undefined) return []
        const { folderId } = note
        return [
          { noteId, title: note.head.title, folderId: folderId ?? null, folderPath: paths.get(folderId ?? '') ?? null },
        ]
      }),
      total: found.length,
    }
  },
})

/** Of equal fit, the shorter title, then the one that was changed last. */
function rankTitles(titles: Iterable<KnownTitle>, typed: string): KnownTitle[] {
  const ranked: { title: KnownTitle; rank: number }[] = []
  for (const title of titles) {
    const rank = rankOf(title.key, typed)
    if (rank !== undefined) ranked.push({ title, rank })
  }
  const byLength = (a: KnownTitle, b: KnownTitle) => (typed === '' ? 0 : a.key.length - b.key.length)
  return ranked
    .toSorted((a, b) => a.rank - b.rank || byLength(a.title, b.title) || b.title.updatedAt - a.title.updatedAt)
    .map(({ title }) => title)
}

const partOfWord = /[\p{L}\p{N}]/u

/** 0: begins so; 1: one of its words does; 2: has it in the middle of a word. Undefined: has it nowhere. */
function rankOf(key: string, typed: string): number | undefined {
  const first = key.indexOf(typed)
  if (first <= 0) return first === 0 ? 0 : undefined
  for (let at = first; at > 0; at = key.indexOf(typed, at + 1)) if (!partOfWord.test(key[at - 1] ?? '')) return 1
  return 2
}
