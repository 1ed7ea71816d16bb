import type { VaultScope } from '../crypto/keys.ts'
import { invalid } from '../core/errors.ts'
import { pauses } from '../core/in-pieces.ts'
import type { WriteTime } from '../core/time.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { insertLink, listLinksFrom, removeLinks, type NewLink, type StoredLink } from '../links/store.ts'
import { listKinds } from '../vault-index/stored/store.ts'
import { listWikiTitles, memoryIdIn, titleKey, type NamedTitle } from '@holdfast/transfer/text/wiki-links'
import type { Note, ResolvedLinks } from './note.ts'
import { findHolders, isNamedBy, listNamers, listWikiLinksTo } from './wiki-store.ts'

/**
 * Keeps links in line with texts. A live note links to another if its text contains [[the title]] that the other one holds (see
 * note.ts), and to each memory of the vault that it names by id. Links that someone created by hand are not changed.
 */

/** How many titles one note may link to, and how many notes may link to a title whose holder changes. Both are done in one transaction. */
const maxWikiTitles = 1000
export const maxNamers = 5000

/** The titles that a text links to; 400 if there are too many. */
export function wikiTitlesOf(content: string): NamedTitle[] {
  const titles = listWikiTitles(content, maxWikiTitles + 1)
  if (titles.length > maxWikiTitles)
    throw invalid({ content: `links to more than ${maxWikiTitles} different [[titles]], which is the most a note can` })
  return titles
}

/** What the text of a note links to. A trashed note links to nothing, and no note links to itself. */
export const resolveLinks = async (db: Reader, scope: VaultScope, note: Note): Promise<ResolvedLinks> =>
  (await findNamed(db, scope, note)).resolved

/** What a text links to. */
interface Named {
  resolved: ResolvedLinks
  memoryIds: readonly string[]
}

async function findNamed(db: Reader, scope: VaultScope, note: Note): Promise<Named> {
  if (note.trashedAt !== undefined) return { resolved: { links: [], unresolvedLinks: [] }, memoryIds: [] }
  const titles = wikiTitlesOf(note.content)
  return resolve(note, titles, await findHolders(db, scope, keysOf(titles)), await findMemories(db, scope, titles))
}

const keysOf = (titles: readonly NamedTitle[]): string[] => titles.map(({ key }) => key)

/** The memories that titles name and the vault contains, live or not. */
async function findMemories(db: Reader, scope: VaultScope, titles: readonly NamedTitle[]): Promise<Set<string>> {
  const ids = titles.flatMap(({ key }) => memoryIdIn(key) ?? [])
  const kinds = await listKinds(db, scope, ids)
  return new Set(ids.filter((id) => kinds.get(id) === 'memory'))
}

function resolve(
  note: Note,
  titles: readonly NamedTitle[],
  holders: ReadonlyMap<string, string>,
  memories: ReadonlySet<string>,
): Named {
  const resolved: ResolvedLinks = { links: [], unresolvedLinks: [] }
  for (const { title, key } of titles) {
    const noteId = holders.get(key)
    if (memories.has(memoryIdIn(key) ?? '')) continue
    if (noteId === undefined) resolved.unresolvedLinks.push(title)
    else if (noteId !== note.noteId) resolved.links.push({ noteId, title })
  }
  return { resolved, memoryIds: [...memories] }
}

/** The links of a text: to notes, then to memories. */
const linksOf = (noteId: string, { resolved, memoryIds }: Named): NewLink[] => [
  ...resolved.links.map((link) => wikiLink(noteId, link.noteId)),
  ...memoryIds.map((memoryId) => wikiLink(noteId, memoryId, 'memory')),
]

/** Writes a new note with its links, and the links to it if it becomes the holder of its title. */
export async function linkNewNote(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { note, write }: { note: Note; write(this: void): Promise<void> },
): Promise<ResolvedLinks> {
  const { noteId, createdAt } = note
  const when = { seq, at: createdAt }
  const own = titleKey(note.head.title)
  const titles = wikiTitlesOf(note.content)
  const holders = await findHolders(tx, scope, [...new Set([own, ...keysOf(titles)])])
  await write()
  const former = holders.get(own)
  // Ids follow the servers' clocks, so a new id can be smaller than one that another server created earlier.
  const holds = memoryIdIn(own) === undefined && (former === undefined || noteId < former)
  if (holds) holders.set(own, noteId)
  const named = resolve(note, titles, holders, await findMemories(tx, scope, titles))
  const pause = pauses()
  for (const link of linksOf(noteId, named)) {
    await insertLink(tx, scope, when, link)
    await pause()
  }
  if (holds && former !== undefined) await refreshLinksTo(tx, scope, when, { noteId: former, namedBy: undefined })
  if (holds) await refreshLinksTo(tx, scope, when, { noteId, namedBy: own })
  return named.resolved
}

/** The links that a text lacks, and those that it no longer has. */
export async function compareLinksFrom(
  db: Reader,
  scope: VaultScope,
  note: Note,
): Promise<{ missing: NewLink[]; surplus: StoredLink[]; resolved: ResolvedLinks }> {
  const named = await findNamed(db, scope, note)
  const wanted = new Map(linksOf(note.noteId, named).map((link) => [link.targetId, link]))
  const existing = (await listLinksFrom(db, scope, [note.noteId])).filter(
    ({ relationType }) => relationType === 'wiki_link',
  )
  const linked = new Set(existing.map(({ targetId }) => targetId))
  return {
    missing: [...wanted.values()].filter(({ targetId }) => !linked.has(targetId)),
    surplus: existing.filter(({ origin, targetId }) => origin === 'wiki' && !wanted.has(targetId)),
    resolved: named.resolved,
  }
}

/** Creates and removes links from a note to match its text. */
export async function refreshLinksFrom(tx: Tx, scope: VaultScope, when: WriteTime, note: Note): Promise<ResolvedLinks> {
  const { missing, surplus, resolved } = await compareLinksFrom(tx, scope, note)
  await remove(tx, scope, when, surplus)
  for (const link of missing) await insertLink(tx, scope, when, link)
  return resolved
}

export interface TitleMove {
  /** The note as written. */
  note: Note
  /** The keys of the titles whose holder may change. */
  keys: readonly string[]
  /** Whether texts that link to these titles change too. */
  isForced?: boolean
  write(this: void): Promise<void>
}

/** Writes a note, then creates and removes links wherever the holder of a title has changed. */
export async function followHolders(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { note, keys, isForced = false, write }: TitleMove,
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
    await refreshLinksTo(tx, scope, { seq, at: note.updatedAt }, { noteId, namedBy: holds ? key : undefined })
  }
}

/** Creates and removes links to a note to match all texts. */
async function refreshLinksTo(
  tx: Tx,
  scope: VaultScope,
  when: WriteTime,
  { noteId, namedBy }: { noteId: string; namedBy: string | undefined },
): Promise<void> {
  const namers = namedBy === undefined ? [] : await listNamers(tx, scope, namedBy, maxNamers + 1)
  const existing = await listWikiLinksTo(tx, scope, noteId, maxNamers + 1)
  if (namers.length > maxNamers || existing.length > maxNamers)
    throw invalid({ title: `more than ${maxNamers} notes link to this title; too many to change their links at once` })
  const wanted = new Set(namers.map((namer) => namer.noteId).filter((namerId) => namerId !== noteId))
  const surplus = existing.filter(({ sourceId }) => !wanted.has(sourceId))
  await remove(tx, scope, when, surplus)
  const linked = new Set(existing.map(({ sourceId }) => sourceId))
  for (const sourceId of wanted)
    if (!linked.has(sourceId)) await insertLink(tx, scope, when, wikiLink(sourceId, noteId))
}

/** After a link that someone created by hand was removed: creates the link of the text, if the text has one. */
export async function relinkNamed(
  tx: Tx,
  scope: VaultScope,
  when: WriteTime,
  { sourceId, targetId, targetType }: Pick<NewLink, 'sourceId' | 'targetId' | 'targetType'>,
): Promise<void> {
  if (await isNamedBy(tx, scope, { sourceId, targetId, targetType }))
    await insertLink(tx, scope, when, wikiLink(sourceId, targetId, targetType))
}

const linksAtOnce = 500

async function remove(tx: Tx, scope: VaultScope, when: WriteTime, links: readonly { linkId: string }[]): Promise<void> {
  const ids = links.map(({ linkId }) => linkId)
  for (let done = 0; done < ids.length; done += linksAtOnce)
    await removeLinks(tx, scope, when, ids.slice(done, done + linksAtOnce))
}

const wikiLink = (sourceId: string, targetId: string, targetType: NewLink['targetType'] = 'note'): NewLink => ({
  sourceType: 'note',
  sourceId,
  targetType,
  targetId,
  relationType: 'wiki_link',
  origin: 'wiki',
})
