import { z } from 'zod'
import type { Region } from '@holdfast/transfer/text/code-regions'
import { isLinkable, titleKey } from '@holdfast/transfer/text/wiki-links'
import { pauses } from '../core/in-pieces.ts'
import { collectDamage } from '../crypto/cell.ts'
import { wordTags } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import type { VaultContext } from '../operation/context.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeLeftOut, leftOut } from '../operation/page.ts'
import { lineAround, findTitleMentions } from '../text/find-in-text.ts'
import { searchFields } from '../vault-index/field-search.ts'
import { keyQuery } from '../vault-index/query.ts'
import { filterTest } from '../vault-index/live.ts'
import { exampleNote, noteId, type Note } from './note.ts'
import { findIntactNotes, getNote } from './store.ts'
import { findHolders } from './wiki-store.ts'

/** How many notes are opened to look for a title: those that match its words best. */
const maxOpened = 100
/** A note can have 500,000 characters. */
const openedAtOnce = 5

export const readMentions = operation({
  name: 'read-mentions',
  for: { person: 'GET /api/notes/mentions' },
  vault: 'required',
  summary: "Find notes whose texts contain a note's title without linking to it, the best matches first.",
  effect: 'read',
  outdatedBy: ['notes'],
  about: ({ id }) => refs('note', id),
  input: z.object({ ...ownVault, id: noteId }),
  output: z.looseObject({
    mentions: z.array(
      z.looseObject({
        noteId: z.uuid(),
        title: z.string(),
        count: z.int().describe('How often its text contains the title.'),
        excerpt: z.string().describe('The text around the first place, at most 200 characters.'),
      }),
    ),
    ...leftOut,
    linkable: z
      .boolean()
      .describe('False if no link can lead to the note: an older note has the title, or no link can contain it.'),
    truncated: z
      .boolean()
      .describe(`Whether more notes contain words of the title than the ${maxOpened} that were searched.`),
  }),
  examples: {
    input: { vaultId: exampleNote.vaultId, id: exampleNote.noteId },
    output: {
      mentions: [
        {
          noteId: '0198c5f0-0000-7000-8000-000000000203',
          title: 'House rules',
          count: 1,
          excerpt: 'Never start deploying Holdfast on a Friday.',
        },
      ],
      linkable: true,
      truncated: false,
    },
  },
  async run({ id }, ctx) {
    const note = await getNote(ctx.db.read, ctx.vault, id)
    const { found, damagedIds, truncated } = await findMentions(ctx, note)
    return {
      mentions: found.map(({ note: { noteId: source, head, content }, places }) => ({
        noteId: source,
        title: head.title,
        count: places.length,
        excerpt: lineAround(content, { start: places[0]?.[0] ?? 0, end: places[0]?.[1] ?? 0 }),
      })),
      ...describeLeftOut(damagedIds),
      linkable: await canBeNamed(ctx, note),
      truncated,
    }
  },
})

/** Whether a link by title leads to this note: it is the holder of its title, and a link can contain the title. */
export async function canBeNamed({ db, vault }: Pick<VaultContext, 'db' | 'vault'>, note: Note): Promise<boolean> {
  const key = titleKey(note.head.title)
  return isLinkable(note.head.title) && (await findHolders(db.read, vault, [key])).get(key) === note.noteId
}

interface Mentions {
  found: { note: Note; places: Region[] }[]
  damagedIds: ReadonlySet<string>
  truncated: boolean
}

async function findMentions(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'instance' | 'now'>,
  named: Note,
): Promise<Mentions> {
  const { title } = named.head
  const { hits, total } = await findCandidates(ctx, title)
  const ids = hits.map(({ itemId }) => itemId).filter((id) => id !== named.noteId)
  const found: Mentions['found'] = []
  const damage = collectDamage(ctx.instance.onDamage)
  const pause = pauses()
  for (let at = 0; at < ids.length; at += openedAtOnce) {
    const wanted = ids.slice(at, at + openedAtOnce)
    const intact = await findIntactNotes(ctx.db.read, ctx.vault, wanted, damage.onDamage)
    const opened = new Map(intact.map((note) => [note.noteId, note]))
    for (const note of wanted.flatMap((id) => opened.get(id) ?? [])) {
      const places = note.trashedAt === undefined ? findTitleMentions(note.content, title) : []
      if (places.length > 0) found.push({ note, places })
      await pause()
    }
  }
  return { found, damagedIds: damage.ids, truncated: total > hits.length }
}

function findCandidates({ vault, indexes, now }: Pick<VaultContext, 'vault' | 'indexes' | 'now'>, title: string) {
  const asOf = now()
  const keyed = keyQuery(title, asOf, (words) => wordTags(tagKeys(vault.keys).words, words))
  const filter = { kinds: ['note'], includeArchived: false, asOf, isRetrospective: false }
  return indexes.read(vault, (index) =>
    searchFields(index, keyed, filterTest(index, filter), { within: ['content'], limit: maxOpened, offset: 0 }),
  )
}
