import { withoutHalfPair } from './half-pair.ts'

/** How a markdown text begins, for lists: one line of at most 200 characters, without what only formats. */

export const maxPreviewLength = 200
/** No more of the text is looked at. */
const lookedAt = 4000

export function previewOf(text: string): string {
  const plain = withoutMarks(text.slice(0, lookedAt)).replace(/\s+/g, ' ').trim()
  if (plain.length <= maxPreviewLength && text.length <= lookedAt)
    return plain.slice(0, maxPreviewLength).toWellFormed()
  return clip(plain)
}

/** Ends at a word where one ends within the last 40 characters, and never in the middle of a surrogate pair. */
function clip(plain: string): string {
  const cut = plain.slice(0, maxPreviewLength - 1)
  const space = plain.length < maxPreviewLength ? -1 : cut.lastIndexOf(' ')
  const kept = space >= maxPreviewLength - 40 ? cut.slice(0, space) : cut
  return `${withoutHalfPair(kept)}…`
}

// Every pattern is bounded or cannot match at two lengths, since the text is anybody's.
const marks: [pattern: RegExp, plain: string][] = [
  // Front matter, comments, fences with the name of their language.
  [/^---\n(?:(?!---\n)[^\n]{0,200}\n){0,60}---\n/, ''],
  [/<!--[^]{0,500}?-->/g, ''],
  [/^[ >]{0,20}(?:`{3,}(?!`)|~{3,}(?!~))[^\n`]*$/gm, ''],
  // Rules and the lines under table heads.
  [/^[ \t|:*_=-]{3,}$/gm, ''],
  // Headings, quotes, list items, boxes of tasks.
  [/^[ \t]{0,20}(?:#{1,6}[ \t]|(?:>[ \t]?){1,10})/gm, ''],
  [/^[ \t]{0,20}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}(?:\[[ xX]\][ \t])?/gm, ''],
  // Links and images: what is read of them.
  [/!?\[([^[\]\n]{0,500})\]\([^()\s]{0,1000}\)/g, '$1'],
  [/!?\[\[[^[\]|\n]{0,500}\|([^[\]\n]{1,500})\]\]/g, '$1'],
  [/!?\[\[([^[\]#|\n]{1,500})(?:#[^[\]\n]{0,500})?\]\]/g, '$1'],
  [/<\/?[a-z][^<>\n]{0,200}>/gi, ''],
  // Emphasis, where it stands at the edge of a word.
  [/(\*\*|__|~~|`)/g, ''],
  [/(?<![\p{L}\p{N}])[*_](?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.,!?])[*_](?![\p{L}\p{N}])/gu, ''],
  [/\|/g, ' '],
]

/** The text without what only formats it. Linear, whatever the text is. */
export const withoutMarks = (text: string): string =>
  marks.reduce((plain, [pattern, replacement]) => plain.replace(pattern, replacement), text)
