import { listCodeRegions, type Region } from '@holdfast/transfer/text/code-regions'
import { withoutHalfPair } from './tokenize.ts'

/** Finding places in a text: a given part, mentions of a title, the line around a place. */

/**
 * All places of `part` in `text`, including overlapping ones (Knuth, Morris and Pratt). On hostile texts the engine's own search takes
 * time proportional to the product of both lengths: half a minute for 50,000 in 500,000 characters.
 */
export function findOccurrences(text: string, part: string): number[] {
  if (part === '') return []
  const borders = bordersOf(part)
  const places: number[] = []
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text[at] !== part[matched]) matched = borders[matched - 1] ?? 0
    if (text[at] === part[matched]) matched++
    if (matched < part.length) continue
    places.push(at - part.length + 1)
    matched = borders[matched - 1] ?? 0
  }
  return places
}

/** For each prefix, the length of the longest shorter prefix that it ends with. */
function bordersOf(part: string): Uint32Array {
  const borders = new Uint32Array(part.length)
  let length = 0
  for (let at = 1; at < part.length; at++) {
    while (length > 0 && part[at] !== part[length]) length = borders[length - 1] ?? 0
    if (part[at] === part[length]) length++
    borders[at] = length
  }
  return borders
}

/** Longer titles are sentences, and searching for them in hostile texts takes a step per character. */
const maxSoughtLength = 120

/**
 * Where a text mentions a title without linking to it: as whole words on one line in any letter case, not in code, links, URLs, tags
 * or front matter. The words may be up to three spaces apart.
 */
export function findTitleMentions(text: string, title: string): Region[] {
  const words = title.trim().split(/\s+/u)
  if (title.length > maxSoughtLength || words[0] === '') return []
  const sought = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('[ \\t\\u00a0]{1,3}')
  const mention = new RegExp(`(?<![\\p{L}\\p{N}_#@/])${sought}(?![\\p{L}\\p{N}_])`, 'giu')
  // In a table row the | of an alias would start a new cell.
  const isInRow = rowTest(text)
  const isLinkable = ([start, end]: Region) => !isInRow(start) || text.slice(start, end) === title
  const places = [...text.matchAll(mention)].map((found): Region => [found.index, found.index + found[0].length])
  return places.length === 0 ? [] : without(places.filter(isLinkable), listTaken(text))
}

/** Links of both kinds, URLs, HTML tags. All bounded, since the text is untrusted. */
const taken =
  /!?\[\[[^[\]\n]*\]\]|!?\[[^[\]\n]{0,500}\]\([^()\n]{0,2000}\)|https?:\/\/[^\s<>]{1,2000}|<[^<>\n]{1,200}>/g
const frontMatter = /^---\r?\n(?:(?!---\r?\n)[^\n]{0,2000}\n){0,100}---\r?\n/

function listTaken(text: string): Region[] {
  const head = frontMatter.exec(text)
  const links = [...text.matchAll(taken)].map((found): Region => [found.index, found.index + found[0].length])
  const regions = [...listCodeRegions(text), ...links, ...(head === null ? [] : [[0, head[0].length] as const])]
  return regions.toSorted((a, b) => a[0] - b[0])
}

/** Both lists are in order; regions may be nested. */
function without(places: readonly Region[], regions: readonly Region[]): Region[] {
  let next = 0
  let takenUntil = 0
  return places.filter(([start, end]) => {
    for (let region = regions[next]; region !== undefined && region[0] < end; region = regions[++next])
      takenUntil = Math.max(takenUntil, region[1])
    return start >= takenUntil
  })
}

/** Turns these places into links to the title. A different spelling becomes the link's alias. */
export function linkMentions(text: string, title: string, places: readonly Region[]): string {
  let linked = ''
  let copied = 0
  for (const [start, end] of places) {
    const written = text.slice(start, end)
    linked += text.slice(copied, start) + (written === title ? `[[${title}]]` : `[[${title}|${written}]]`)
    copied = end
  }
  return linked + text.slice(copied)
}

/** Tests whether places are in table rows. Ask in ascending order: each line is read once. */
function rowTest(text: string): (at: number) => boolean {
  const row = /[ \t]{0,3}\|/y
  let lineEnd = -1
  let isRow = false
  return (at) => {
    if (at <= lineEnd) return isRow
    row.lastIndex = text.lastIndexOf('\n', at - 1) + 1
    isRow = row.test(text)
    const newline = text.indexOf('\n', at)
    lineEnd = newline < 0 ? text.length : newline
    return isRow
  }
}

export const maxLineLength = 200
/** Characters shown before the place in a line that is cut. */
const leadLength = 60

/** The line that contains a place, unchanged; at most 200 characters around the place if the line is long. */
export function lineAround(text: string, { start, end }: { start: number; end: number }): string {
  const lineStart = text.lastIndexOf('\n', start) + 1
  const lineEnd = text.indexOf('\n', end)
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd)
  if (line.trim().length <= maxLineLength) return line.trim()
  const from = Math.max(0, start - lineStart - leadLength)
  const to = from + maxLineLength - 2
  const part = withoutHalfPair(withoutFirstHalf(line.slice(from, to))).trim()
  return `${from > 0 ? '…' : ''}${part}${to < line.length ? '…' : ''}`
}

/** Removes half a surrogate pair that a cut left at the start. */
const withoutFirstHalf = (text: string): string => text.replace(/^[\udc00-\udfff]/, '')
