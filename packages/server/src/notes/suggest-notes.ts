import { z } from 'zod'
import { createBest } from '../core/best-of.ts'
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
    const { ids, total } = rankTitles(await noteTitles.read(vault), titleKey(q), limit)
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
      total,
    }
  },
})

interface Ranked extends KnownTitle {
  rank: number
}

/** Of equal fit, the shorter title, then the one that was changed last. */
function rankTitles(titles: Iterable<KnownTitle>, typed: string, limit: number): { ids: string[]; total: number } {
  const byLength = (a: Ranked, b: Ranked) => (typed === '' ? 0 : a.key.length - b.key.length)
  const best = createBest<Ranked>(limit, (a, b) => a.rank - b.rank || byLength(a, b) || b.updatedAt - a.updatedAt)
  let total = 0
  for (const title of titles) {
    const rank = rankOf(title.key, typed)
    if (rank === undefined) continue
    total++
    best.offer({ ...title, rank })
  }
  return { ids: best.items.map(({ noteId }) => noteId), total }
}

const partOfWord = /[\p{L}\p{N}]/u
/** No more places of one title are looked at: a title of one letter 500 times has 500. */
const maxPlaces = 8

/** 0: begins so; 1: one of its words does; 2: has it in the middle of a word. Undefined: has it nowhere. */
function rankOf(key: string, typed: string): number | undefined {
  const first = key.indexOf(typed)
  if (first <= 0) return first === 0 ? 0 : undefined
  let at = first
  for (let place = 0; at > 0 && place < maxPlaces; place++) {
    if (!partOfWord.test(key[at - 1] ?? '')) return 1
    at = key.indexOf(typed, at + 1)
  }
  return 2
}
