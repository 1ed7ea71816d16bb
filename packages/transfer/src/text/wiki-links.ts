import { isEscaped, listCodeRegions } from './code-regions.ts'
import { normaliseForEquality } from './normalise.ts'

/**
 * Links that a text makes by title: `[[Title]]`, `[[Title|alias]]`, `[[Title#Heading]]`, outside of code. A `#` parts a
 * heading from a title where neither side of it is white space: `[[Title#Heading]]`, but `[[Issue #12]]`, `[[C# style]]` and `[[C#]]`
 * are titles as a whole. A link stands on one line. Linear in the text, whatever it holds.
 *
 * Memories have no titles, so that `[[memory:<id>|shown]]` links to one by its id. No link can name a note that is called so.
 */

export const maxTitleLength = 500

interface WikiLink {
  title: string
  /** The form in which titles are compared. */
  key: string
  /** Where the title stands in the text, without the spaces around it. */
  start: number
  end: number
}

/** A title as a text writes it first, and the form in which titles are compared. */
export interface NamedTitle {
  title: string
  key: string
}

export const titleKey = normaliseForEquality

/** The titles that a text links to, each once, in the order in which it names them; those behind so many are not looked for. */
export function listWikiTitles(text: string, most = Infinity): NamedTitle[] {
  const titles = new Map<string, string>()
  for (const { title, key } of wikiLinks(text)) {
    if (!titles.has(key)) titles.set(key, title)
    if (titles.size >= most) break
  }
  return [...titles].map(([key, title]) => ({ title, key }))
}

/** The memory that a link with a title of this key leads to; undefined where it leads to a note. */
export const memoryIdIn = (key: string): string | undefined =>
  /^memory:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(key)?.[1]

/** The memories that a text links to, each once. */
export const listMemoryLinks = (text: string): string[] =>
  listWikiTitles(text).flatMap(({ key }) => memoryIdIn(key) ?? [])

/** What a link to this memory has in the place of a title. */
export const memoryTitle = (memoryId: string): string => `memory:${memoryId}`

/** The text with its links to memories leading to what these are called elsewhere; words and headings stay. */
export function renameMemories(text: string, idOf: (memoryId: string) => string): string {
  let renamed = ''
  let copied = 0
  for (const { key, start, end } of wikiLinks(text)) {
    const memoryId = memoryIdIn(key)
    if (memoryId === undefined || idOf(memoryId) === memoryId) continue
    renamed += text.slice(copied, start) + memoryTitle(idOf(memoryId))
    copied = end
  }
  return renamed + text.slice(copied)
}

/** Where a text first links to the title of this key: from the start of the title to its end. */
export function findWikiLink(text: string, key: string): { start: number; end: number } | undefined {
  for (const link of wikiLinks(text)) if (link.key === key) return { start: link.start, end: link.end }
  return undefined
}

/**
 * The text with all links to the title of this key leading to `title`; headings and aliases stay. Undefined where the text
 * would then link to something else, here or elsewhere: `#` before a heading, or a backtick that begins code.
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
  const meant = links.map((link) => (link.key === key ? other : link.key))
  const read = Array.from(wikiLinks(renamed), (link) => link.key)
  return meant.length === read.length && meant.every((one, at) => one === read[at]) ? renamed : undefined
}

/** Whether a link can name this title: one with brackets, `|`, a line break, what reads as a heading or as a memory cannot be named. */
export function isLinkable(title: string): boolean {
  const [named, ...others] = listWikiTitles(`[[${title}]]`)
  return others.length === 0 && named?.key === titleKey(title) && memoryIdIn(named.key) === undefined
}

function* wikiLinks(text: string): Generator<WikiLink> {
  if (!text.includes('[[')) return
  const code = listCodeRegions(text)
  let region = 0
  const keyOf = rememberKeys()
  // No bracket and no line break lies between the brackets, so that no place of the text is read twice.
  for (const found of text.matchAll(/\[\[([^[\]\n\r]+)\]\]/g)) {
    const at = found.index
    while ((code[region]?.[1] ?? Infinity) <= at) region++
    if ((code[region]?.[0] ?? Infinity) < at + found[0].length || isEscaped(text, at)) continue
    const link = linkIn(found[1] ?? '', at + 2, keyOf)
    if (link !== undefined) yield link
  }
}

/** A text that names one title 100,000 times need not work out its key as often, which is most of what reading it takes. */
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

function linkIn(inner: string, at: number, keyOf: (title: string) => string): WikiLink | undefined {
  const target = inner.slice(0, placeOr(inner.indexOf('|'), inner.length))
  const named = target.slice(0, placeOr(target.search(/(?:^|(?<=\S))#(?=\S)/), target.length))
  const title = named.trim()
  if (title === '' || title.length > maxTitleLength) return undefined
  const key = keyOf(title)
  if (key === '') return undefined
  const start = at + (named.length - named.trimStart().length)
  return { title, key, start, end: start + title.length }
}

const placeOr = (place: number, otherwise: number) => (place < 0 ? otherwise : place)
