import { isEscaped, listCodeRegions } from './code-regions.ts'
import { normaliseForEquality } from './normalise.ts'

/**
 * Links that a text makes by title: `[[Title]]`, `[[Title|alias]]`, `[[Title#Heading]]`, outside of code. A `#` parts a
 * heading from a title where neither side of it is white space: `[[Title#Heading]]`, but `[[Issue #12]]`, `[[C# style]]` and `[[C#]]`
 * are titles as a whole. A link stands on one line. Linear in the text, whatever it holds.
 */

export const maxTitleLength = 500

interface WikiLink {
  title: string
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

/** The titles that a text links to, each once, in the order in which it names them. */
export function listWikiTitles(text: string): NamedTitle[] {
  const titles = new Map<string, string>()
  for (const { title } of wikiLinks(text)) {
    const key = titleKey(title)
    if (!titles.has(key)) titles.set(key, title)
  }
  return [...titles].map(([key, title]) => ({ title, key }))
}

/** Where a text first links to the title of this key: from the start of the title to its end. */
export function findWikiLink(text: string, key: string): { start: number; end: number } | undefined {
  for (const { title, start, end } of wikiLinks(text)) if (titleKey(title) === key) return { start, end }
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
    if (titleKey(link.title) !== key) continue
    renamed += text.slice(copied, link.start) + title
    copied = link.end
  }
  if (copied === 0) return text
  renamed += text.slice(copied)
  const meant = links.map((link) => (titleKey(link.title) === key ? titleKey(title) : titleKey(link.title)))
  const read = [...wikiLinks(renamed)].map((link) => titleKey(link.title))
  return meant.length === read.length && meant.every((one, at) => one === read[at]) ? renamed : undefined
}

/** Whether a link can name this title: one with brackets, `|`, a line break or what reads as a heading cannot be named. */
export function isLinkable(title: string): boolean {
  const [named, ...others] = listWikiTitles(`[[${title}]]`)
  return others.length === 0 && named?.key === titleKey(title)
}

function* wikiLinks(text: string): Generator<WikiLink> {
  if (!text.includes('[[')) return
  const code = listCodeRegions(text)
  let region = 0
  // No bracket and no line break lies between the brackets, so that no place of the text is read twice.
  for (const found of text.matchAll(/\[\[([^[\]\n\r]+)\]\]/g)) {
    const at = found.index
    while ((code[region]?.[1] ?? Infinity) <= at) region++
    if ((code[region]?.[0] ?? Infinity) < at + found[0].length || isEscaped(text, at)) continue
    const link = linkIn(found[1] ?? '', at + 2)
    if (link !== undefined) yield link
  }
}

function linkIn(inner: string, at: number): WikiLink | undefined {
  const target = inner.slice(0, placeOr(inner.indexOf('|'), inner.length))
  const named = target.slice(0, placeOr(target.search(/(?:^|(?<=\S))#(?=\S)/), target.length))
  const title = named.trim()
  if (title === '' || title.length > maxTitleLength || titleKey(title) === '') return undefined
  const start = at + (named.length - named.trimStart().length)
  return { title, start, end: start + title.length }
}

const placeOr = (place: number, otherwise: number) => (place < 0 ? otherwise : place)
