import type { VaultScope } from '../crypto/keys.ts'
import { invalid } from '../core/errors.ts'
import { pauses } from '../core/pauses.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { insertLink, listLinksFrom, removeLinks, type NewLink } from '../links/store.ts'
import { listWikiTitles, titleKey, type NamedTitle } from '@holdfast/transfer/text/wiki-links'
import type { Note, ResolvedLinks } from './note.ts'
import { findHolders, isNamedBy, listNamers, listWikiLinksTo } from './wiki-store.ts'

/**
 * Keeps links equal to what texts say: there is a link from one live note to another where the text of the first names the title
 * that the second holds (see note.ts). Links that somebody made by hand are left alone.
 */

/** What one note may link to by title, and how many may link to one title where its holder changes: both are work of one transaction. */
const maxWikiTitles = 1000
export const maxNamers = 5000

/** The titles that a text links to; a 400 where there are too many. */
export function wikiTitlesOf(content: string): NamedTitle[] {
  const titles = listWikiTitles(content)
  if (titles.length > maxWikiTitles)
    throw invalid({
      content: `links to ${titles.length} different [[titles]]; a note can link to ${maxWikiTitles} at most`,
    })
  return titles
}

/** What the text of a note links to. A trashed note links to nothing, and none to itself. */
export async function resolveLinks(db: Reader, scope: VaultScope, note: Note): Promise<ResolvedLinks> {
  if (note.trashedAt !== undefined) return { links: [], unresolvedLinks: [] }
  const titles = wikiTitlesOf(note.content)
  return resolve(note, titles, await findHolders(db, scope, keysOf(titles)))
}

const keysOf = (titles: readonly NamedTitle[]): string[] => titles.map(({ key }) => key)

function resolve(note: Note, titles: readonly NamedTitle[], holders: ReadonlyMap<string, string>): ResolvedLinks {
  const resolved: ResolvedLinks = { links: [], unresolvedLinks: [] }
  for (const { title, key } of titles) {
    const noteId = holders.get(key)
    if (noteId === undefined) resolved.unresolvedLinks.push(title)
    else if (noteId !== note.noteId) resolved.links.push({ noteId, title })
  }
  return resolved
}

/** Writes a new note with the links from it, and to it where it holds its title. */
export async function linkNewNote(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  note: Note,
  write: () => Promise<void>,
): Promise<ResolvedLinks> {
  const { noteId, createdAt: at } = note
  const own = titleKey(note.head.title)
  const titles = wikiTitlesOf(note.content)
  const holders = await findHolders(tx, scope, [...new Set([own, ...keysOf(titles)])])
  await write()
  const former = holders.get(own)
  // Ids follow the clocks of the servers: now and then a new one is smaller than one that another server has made before.
  const holds = former === undefined || noteId < former
  if (holds) holders.set(own, noteId)
  const resolved = resolve(note, titles, holders)
  const pause = pauses()
  for (const link of resolved.links) {
    await insertLink(tx, scope, seq, wikiLink(noteId, link.noteId), at)
    await pause()
  }
  if (holds && former !== undefined) await refreshLinksTo(tx, scope, seq, { noteId: former, namedBy: undefined }, at)
  if (holds) await refreshLinksTo(tx, scope, seq, { noteId, namedBy: own }, at)
  return resolved
}

/** Makes and removes links from a note as its text now says. */
export async function refreshLinksFrom(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  note: Note,
  at: number,
): Promise<ResolvedLinks> {
  const resolved = await resolveLinks(tx, scope, note)
  const wanted = new Set(resolved.links.map(({ noteId }) => noteId))
  const existing = (await listLinksFrom(tx, scope, [note.noteId])).filter(
    ({ relationType }) => relationType === 'wiki_link',
  )
  const linked = new Set(existing.map(({ targetId }) => targetId))
  const surplus = existing.filter(({ origin, targetId }) => origin === 'wiki' && !wanted.has(targetId))
  await remove(tx, scope, seq, surplus, at)
  for (const targetId of wanted)
    if (!linked.has(targetId)) await insertLink(tx, scope, seq, wikiLink(note.noteId, targetId), at)
  return resolved
}

export interface TitleMove {
  /** The note as it is written. */
  note: Note
  /** The titles, as keys, of which it may take or lose the holding. */
  keys: readonly string[]
  /** Whether the texts that name these titles change too. */
  isForced?: boolean
}

/** Writes a note, and makes and removes links to the holders of its titles where these have changed. */
export async function followHolders(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { note, keys, isForced = false }: TitleMove,
  write: () => Promise<void>,
): Promise<void> {
  const before = await findHolders(tx, scope, keys)
  await write()
  const after = await findHolders(tx, scope, keys)
  const affected = new Map<string, string>()
  for (const key of keys) {
    if (before.get(key) === after.get(key) && !isForced) continue
    for (const noteId of [before.get(key), after.get(key)]) if (noteId !== undefined) affected.set(noteId, key)
  }
  if (affected.has(note.noteId)) affected.set(note.noteId, titleKey(note.head.title))
  for (const [noteId, key] of affected) {
    const holds = after.get(key) === noteId
    await refreshLinksTo(tx, scope, seq, { noteId, namedBy: holds ? key : undefined }, note.updatedAt)
  }
}

/** Makes and removes links to a note as all texts say. */
async function refreshLinksTo(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { noteId, namedBy }: { noteId: string; namedBy: string | undefined },
  at: number,
): Promise<void> {
  const namers = namedBy === undefined ? [] : await listNamers(tx, scope, namedBy, maxNamers + 1)
  const existing = await listWikiLinksTo(tx, scope, noteId, maxNamers + 1)
  if (namers.length > maxNamers || existing.length > maxNamers)
    throw invalid({ title: `more than ${maxNamers} notes link to this title; too many to change their links at once` })
  const wanted = new Set(namers.map((namer) => namer.noteId).filter((namerId) => namerId !== noteId))
  const surplus = existing.filter(({ sourceId }) => !wanted.has(sourceId))
  await remove(tx, scope, seq, surplus, at)
  const linked = new Set(existing.map(({ sourceId }) => sourceId))
  for (const sourceId of wanted)
    if (!linked.has(sourceId)) await insertLink(tx, scope, seq, wikiLink(sourceId, noteId), at)
}

/** Where a link that somebody had made by hand was just removed: makes the one that the text says, if it says one. */
export async function relinkNamed(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { sourceId, targetId }: { sourceId: string; targetId: string },
  at: number,
): Promise<void> {
  if (await isNamedBy(tx, scope, { sourceId, targetId }))
    await insertLink(tx, scope, seq, wikiLink(sourceId, targetId), at)
}

const linksAtOnce = 500

async function remove(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  links: readonly { linkId: string }[],
  at: number,
): Promise<void> {
  const ids = links.map(({ linkId }) => linkId)
  for (let done = 0; done < ids.length; done += linksAtOnce)
    await removeLinks(tx, scope, seq, ids.slice(done, done + linksAtOnce), at)
}

const wikiLink = (sourceId: string, targetId: string): NewLink => ({
  sourceType: 'note',
  sourceId,
  targetType: 'note',
  targetId,
  relationType: 'wiki_link',
  origin: 'wiki',
})
