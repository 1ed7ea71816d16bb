import { listCodeRegions, type Region } from '@holdfast/transfer/text/code-regions'

/**
 * Where a text names a title without linking to it: as whole words on one line, letter case aside, and not in code, links,
 * addresses, tags or front matter. The words of the title may stand up to three spaces apart.
 */

/** Longer ones are sentences, and looking for them in hostile texts takes a step for each of their characters. */
const maxSoughtLength = 120

export function findTitleMentions(text: string, title: string): Region[] {
  const words = title.trim().split(/\s+/u)
  if (title.length > maxSoughtLength || words[0] === '') return []
  const sought = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('[ \\t\\u00a0]{1,3}')
  const mention = new RegExp(`(?<![\\p{L}\\p{N}_#@/])${sought}(?![\\p{L}\\p{N}_])`, 'giu')
  // In a row of a table the | of an alias would begin another cell.
  const isInRow = rowTest(text)
  const isLinkable = ([start, end]: Region) => !isInRow(start) || text.slice(start, end) === title
  const places = [...text.matchAll(mention)].map((found): Region => [found.index, found.index + found[0].length])
  return places.length === 0 ? [] : without(places.filter(isLinkable), listTaken(text))
}

/** Links of both kinds, addresses, markup. All bounded, since the text is anybody's. */
const taken =
  /!?\[\[[^[\]\n]*\]\]|!?\[[^[\]\n]{0,500}\]\([^()\n]{0,2000}\)|https?:\/\/[^\s<>]{1,2000}|<[^<>\n]{1,200}>/g
const frontMatter = /^---\r?\n(?:(?!---\r?\n)[^\n]{0,2000}\n){0,100}---\r?\n/

function listTaken(text: string): Region[] {
  const head = frontMatter.exec(text)
  const links = [...text.matchAll(taken)].map((found): Region => [found.index, found.index + found[0].length])
  const regions = [...listCodeRegions(text), ...links, ...(head === null ? [] : [[0, head[0].length] as const])]
  return regions.toSorted((a, b) => a[0] - b[0])
}

/** Both in order; those of the second may lie in each other. */
function without(places: readonly Region[], regions: readonly Region[]): Region[] {
  let next = 0
  let takenUntil = 0
  return places.filter(([start, end]) => {
    for (let region = regions[next]; region !== undefined && region[0] < end; region = regions[++next])
      takenUntil = Math.max(takenUntil, region[1])
    return start >= takenUntil
  })
}

/** The text with each of these places as a link to the title; one that is written otherwise stays as the link's alias. */
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

/** Whether places, asked for in their order, lie in rows of tables: no line is looked through for each of its places. */
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
