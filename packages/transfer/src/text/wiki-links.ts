import { isEscaped, outsideCode } from './code-regions.ts'
import { normalizeForEquality } from './normalize.ts'

/**
 * Links by title in a text, outside code: `[[Title]]`, `[[Title|alias]]`, `[[Title#Heading]]`. A `#` separates a heading only
 * between characters other than white space: in `[[Issue #12]]`, `[[C# style]]` and `[[C#]]` it is part of the title. A link
 * is on one line, and the text it shows may contain code. Everything runs in linear time.
 *
 * Memories have no titles, so `[[memory:<id>|shown]]` links to one by its id. You can't link to a note with such a title.
 */

export const maxTitleLength = 500

interface WikiLink {
  title: string
  /** The normalized title, for comparisons. */
  key: string
  /** Position of the title in the text, without surrounding spaces. */
  start: number
  end: number
}

/** A title as first written in a text, and its normalized form. */
export interface NamedTitle {
  title: string
  key: string
}

export const titleKey = normalizeForEquality

/** Lists the titles that a text links to, each once, in order of appearance, up to `most`. */
export function listWikiTitles(text: string, most = Infinity): NamedTitle[] {
  const titles = new Map<string, string>()
  for (const { title, key } of wikiLinks(text)) {
    if (!titles.has(key)) titles.set(key, title)
    if (titles.size >= most) break
  }
  return [...titles].map(([key, title]) => ({ title, key }))
}

/** Returns the memory that a link with this key leads to, or undefined for a note. */
export const memoryIdIn = (key: string): string | undefined =>
  /^memory:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(key)?.[1]

/** Lists the memories that a text links to, each once. */
export function listMemoryLinks(text: string): string[] {
  // Most texts have none, which is found sooner than all titles. Letters beyond ASCII may be other forms of these.
  if (!/memory:|[^\p{ASCII}]/iu.test(text)) return []
  return listWikiTitles(text).flatMap(({ key }) => memoryIdIn(key) ?? [])
}

/** Returns the title part of a link to a memory. */
export const memoryTitle = (memoryId: string): string => `memory:${memoryId}`

/** Replaces memory ids in links. The shown text and headings stay. */
export function renameMemories(text: string, newIdFor: (memoryId: string) => string): string {
  let renamed = ''
  let copied = 0
  for (const { key, start, end } of wikiLinks(text)) {
    const memoryId = memoryIdIn(key)
    if (memoryId === undefined || newIdFor(memoryId) === memoryId) continue
    renamed += text.slice(copied, start) + memoryTitle(newIdFor(memoryId))
    copied = end
  }
  return renamed + text.slice(copied)
}

/** Finds the first link to a title, and returns the position of the title. */
export function findWikiLink(text: string, key: string): { start: number; end: number } | undefined {
  for (const link of wikiLinks(text)) if (link.key === key) return { start: link.start, end: link.end }
  return undefined
}

/**
 * Renames the title in all its links. Headings and aliases stay. Returns undefined if the result would link to something else,
 * for example because of a `#` before a heading or a backtick that starts code.
 */
export function renameWikiLinks(text: string, key: string, title: string): string | undefined {
  const links = [...wikiLinks(text)]
  let renamed = ''
  let copied = 0
  for (const link of links) {
    if (link.key !== key) continue
    renamed += text.slice(copied, link.start) + title
    copied = link.end
  }
  if (copied === 0) return text
  renamed += text.slice(copied)
  const other = titleKey(title)
  const expected = links.map((link) => (link.key === key ? other : link.key))
  const read = Array.from(wikiLinks(renamed), (link) => link.key)
  return expected.length === read.length && expected.every((one, at) => one === read[at]) ? renamed : undefined
}

/** Whether a link can contain this title. Brackets, `|`, line breaks, and titles that look like headings or memories are impossible. */
export function isLinkable(title: string): boolean {
  const [named, ...others] = listWikiTitles(`[[${title}]]`)
  return others.length === 0 && named?.key === titleKey(title) && memoryIdIn(named.key) === undefined
}

function* wikiLinks(text: string): Generator<WikiLink> {
  if (!text.includes('[[')) return
  const isText = outsideCode(text)
  const toKey = rememberKeys()
  // There are no brackets or line breaks inside a link, so no position is read twice.
  for (const found of text.matchAll(/\[\[([^[\]\n\r]+)\]\]/g)) {
    const at = found.index
    if (!isText(found) || isEscaped(text, at)) continue
    const link = linkIn(found[1] ?? '', at + 2, toKey)
    if (link !== undefined) yield link
  }
}

/** Caches keys: for a text that links one title 100,000 times, computing them would take most of the time. */
function rememberKeys(): (title: string) => string {
  const keys = new Map<string, string>()
  return (title) => {
    const known = keys.get(title)
    if (known !== undefined) return known
    const key = titleKey(title)
    keys.set(title, key)
    return key
  }
}

function linkIn(inner: string, at: number, toKey: (title: string) => string): WikiLink | undefined {
  const target = inner.slice(0, placeOr(inner.indexOf('|'), inner.length))
  const named = target.slice(0, placeOr(target.search(/(?:^|(?<=\S))#(?=\S)/), target.length))
  const title = named.trim()
  if (title === '' || title.length > maxTitleLength) return undefined
  const key = toKey(title)
  if (key === '') return undefined
  const start = at + (named.length - named.trimStart().length)
  return { title, key, start, end: start + title.length }
}

const placeOr = (place: number, otherwise: number) => (place < 0 ? otherwise : place)
