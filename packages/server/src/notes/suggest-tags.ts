import { z } from 'zod'
import { createBest } from '../core/best-of.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { normalizeForEquality } from '@holdfast/transfer/text/normalize'
import { exampleNote } from './note.ts'

export const suggestTags = operation({
  name: 'suggest-tags',
  for: { person: 'GET /api/notes/tags' },
  vault: 'required',
  summary:
    'Complete a tag: tags of live notes that start with the typed text, with their number of notes, the most frequent first.',
  effect: 'read',
  input: z.object({
    ...fields.ownVault,
    q: z.string().max(100).default('').describe('The typed text. Letter case and white space do not matter.'),
    limit: z.coerce.number().int().min(1).max(200).default(50).describe('How many to return, 1 to 200.'),
  }),
  output: z.looseObject({
    tags: z.array(z.looseObject({ tag: z.string(), count: z.int() })),
    total: z.int().describe('How many tags match.'),
  }),
  examples: {
    input: { vaultId: exampleNote.vaultId, q: 'op' },
    output: { tags: [{ tag: 'operations', count: 1 }], total: 1 },
  },
  async run({ q, limit }, { vault, noteTitles }) {
    const typed = normalizeForEquality(q)
    const found = new Map<string, { tag: string; count: number }>()
    for (const { tags } of await noteTitles.read(vault))
      for (const tag of tags) {
        const key = normalizeForEquality(tag)
        if (!key.startsWith(typed)) continue
        const known = found.get(key)
        if (known === undefined) found.set(key, { tag, count: 1 })
        else known.count++
      }
    const best = createBest<{ tag: string; count: number }>(
      limit,
      (a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1),
    )
    for (const tag of found.values()) best.offer(tag)
    return { tags: [...best.items], total: found.size }
  },
})
