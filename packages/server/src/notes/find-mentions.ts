import { pauses } from '../core/in-pieces.ts'
import { wordTags } from '../crypto/blind.ts'
import { tagKeys } from '../crypto/keys.ts'
import type { VaultContext } from '../operation/context.ts'
import type { Region } from '@holdfast/transfer/text/code-regions'
import { findTitleMentions } from '../text/find-in-text.ts'
import { isLinkable, titleKey } from '@holdfast/transfer/text/wiki-links'
import { searchFields } from '../vault-index/field-search.ts'
import { keyQuery } from '../vault-index/query.ts'
import { filterTest } from '../vault-index/live.ts'
import type { Note } from './note.ts'
import { findNotes } from './store.ts'
import { findHolders } from './wiki-store.ts'

/** How many notes are opened to look for a title, those first that its words fit best. */
export const maxOpened = 100
/** Some have 500,000 characters. */
const openedAtOnce = 5

export interface Mentions {
  found: { note: Note; places: Region[] }[]
  /** Whether more notes hold words of the title than were opened. */
  truncated: boolean
}

/** Whether a link by title leads to this note: it holds its title, and a link can name that. */
export async function canBeNamed({ db, vault }: Pick<VaultContext, 'db' | 'vault'>, note: Note): Promise<boolean> {
  const key = titleKey(note.head.title)
  return isLinkable(note.head.title) && (await findHolders(db.read, vault, [key])).get(key) === note.noteId
}

/** The live notes whose texts name this one without linking to it. */
export async function findMentions(ctx: VaultContext, named: Note): Promise<Mentions> {
  const { title } = named.head
  const { hits, total } = await findCandidates(ctx, title)
  const ids = hits.map(({ itemId }) => itemId).filter((id) => id !== named.noteId)
  const found: Mentions['found'] = []
  const pause = pauses()
  for (let at = 0; at < ids.length; at += openedAtOnce) {
    const wanted = ids.slice(at, at + openedAtOnce)
    const opened = new Map((await findNotes(ctx.db.read, ctx.vault, wanted)).map((note) => [note.noteId, note]))
    for (const note of wanted.flatMap((id) => opened.get(id) ?? [])) {
      const places = note.trashedAt === undefined ? findTitleMentions(note.content, title) : []
      if (places.length > 0) found.push({ note, places })
      await pause()
    }
  }
  return { found, truncated: total > hits.length }
}

function findCandidates({ vault, indexes, now }: VaultContext, title: string) {
  const asOf = now()
  const keyed = keyQuery(title, asOf, (words) => wordTags(tagKeys(vault.keys).words, words))
  const filter = { kinds: ['note'], includeArchived: false, asOf, isRetrospective: false }
  return indexes.read(vault, (index) =>
    searchFields(index, keyed, filterTest(index, filter), { within: ['content'], limit: maxOpened, offset: 0 }),
  )
}
