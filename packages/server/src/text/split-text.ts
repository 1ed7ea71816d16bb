import { atOnce, type Pieces } from '../core/in-pieces.ts'
import { withoutHalfPair } from './tokenize.ts'
import { listFences } from '@holdfast/transfer/text/code-regions'

/** Splitting texts into chunks for vectors, and into sentences. */

/** Passages of 100 to 150 words were the best unit for vectors. The mean of a longer text's word vectors says little. */
export const maxChunkWords = 150
/** The limit for text without spaces, where word counts say nothing. */
const maxChunkChars = 1200

interface Piece {
  text: string
  words: number
  /** A heading or a paragraph begins here, which is a good place to cut. */
  opensBlock: boolean
}

function countWords(text: string): number {
  const word = /\S+/g
  let words = 0
  while (word.test(text)) words++
  return Math.max(words, Math.ceil((text.length * maxChunkWords) / maxChunkChars))
}

/** Cuts a sentence that is too long for one chunk, at white space if possible, otherwise between any two characters. */
function cutSentence(sentence: string): string[] {
  const parts: string[] = []
  let rest = sentence
  // Length first, because counting the words of the rest for each part would take quadratic time.
  while (rest.length > maxChunkChars || countWords(rest) > maxChunkWords) {
    const head = /^(?:\s*\S+){1,100}/.exec(rest.slice(0, maxChunkChars))?.[0] ?? rest.slice(0, maxChunkChars)
    const part = withoutHalfPair(head) || head
    parts.push(part)
    rest = rest.slice(part.length)
  }
  if (rest.trim() !== '') parts.push(rest)
  return parts
}

/** Sentences between two yields: less than a millisecond. */
const stride = 256

/** Appends to `found` as it goes. */
function* pieces(text: string, found: Piece[]): Pieces<void> {
  let sentences = 0
  for (const block of partsOf(text, /\n[^\S\n]*\n|\n(?=#{1,6} )/g)) {
    let opensBlock = true
    for (const sentence of partsOf(block, /(?<=[.!?。！？\n])(?=\s)|(?<=[。！？])/g)) {
      if (++sentences % stride === 0) yield
      for (const part of cutSentence(sentence)) {
        if (part.trim() === '') continue
        found.push({ text: part, words: countWords(part), opensBlock })
        opensBlock = false
      }
    }
  }
}

/** Like `split`, but lazy. */
function* partsOf(text: string, border: RegExp): Generator<string> {
  let start = 0
  for (const { 0: parting, index } of text.matchAll(border)) {
    if (index + parting.length === 0 || index === text.length) continue
    yield text.slice(start, index)
    start = index + parting.length
  }
  yield text.slice(start)
}

/** Where to cut before `end`, the first piece that doesn't fit: at a block, if that leaves the chunk more than half full. */
function cutPlace(all: readonly Piece[], start: number, end: number): number {
  let words = 0
  let place = end
  for (let i = start; i < end; i++) {
    const piece = all[i]
    if (piece?.opensBlock && words > maxChunkWords / 2) place = i
    words += piece?.words ?? 0
  }
  return place
}

function joined(all: readonly Piece[], start: number, end: number): string {
  return all
    .slice(start, end)
    .map((piece, i) => (piece.opensBlock && i > 0 ? `\n\n${piece.text}` : piece.text))
    .join('')
    .trim()
}

const chunksAtOnce = 256
/** Each piece has a word. */
const maxChunkPieces = maxChunkWords

/**
 * Chunks of at most 150 words, in order. Headings and paragraphs are kept together if they fit; a cut within a paragraph repeats one
 * sentence. A short text is a single chunk; a blank text has none.
 */
export const chunkText = (text: string): string[] => atOnce(chunking(text))

/** `chunkText` in pieces: 500,000 characters of one-letter sentences take 0.2 s. Stops after `count` chunks, 1 or more. */
export function* chunking(text: string, count = Infinity): Pieces<string[]> {
  if (text.trim() === '') return []
  if (text.length <= maxChunkChars && countWords(text) <= maxChunkWords) return [text]
  const all: Piece[] = []
  const rest = pieces(text, all)
  const chunks: string[] = []
  let start = 0
  while (chunks.length < count) {
    if (chunks.length % chunksAtOnce === 0) yield
    while (all.length <= start + maxChunkPieces && rest.next().done !== true) yield
    if (start >= all.length) break
    let words = 0
    let end = start
    for (
      let next = all[end];
      next !== undefined && (end === start || words + next.words <= maxChunkWords);
      next = all[end]
    ) {
      words += next.words
      end++
    }
    if (end < all.length) end = cutPlace(all, start, end)
    chunks.push(joined(all, start, end))
    const last = all[end - 1]
    const overlaps = end < all.length && end - start > 1 && all[end]?.opensBlock === false && (last?.words ?? 0) <= 40
    start = overlaps ? end - 1 : end
  }
  return chunks
}

/** The sentences of a text, without code blocks, quoted lines, list markers and heading markers. Takes linear time. */
export function sentencesOf(text: string): string[] {
  return withoutFences(text)
    .split(/\r?\n/)
    .filter((line) => !/^\s{0,3}>/.test(line))
    .flatMap((line) => line.replace(/^\s*(?:[-*+•]|#{1,6}|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?/, '').split(sentenceEnd))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

// A full stop ends a sentence if a capital or number follows, except after common abbreviations.
const abbreviations = String.raw`(?<!\b(?:e\.g|i\.e|z\.B|d\.h|p\.ej|vs|etc|approx|bzw|ca|Dr|Mr|Ms|Mrs|St|No|Nr)\.)`
const sentenceEnd = new RegExp(
  `(?<=[.!?]["'”’)]?)${abbreviations}\\s+(?=["'“‘(¿¡\`*]?[\\p{Lu}\\p{N}¿¡\`])|(?<=[。！？])`,
  'u',
)

function withoutFences(text: string): string {
  let rest = ''
  let at = 0
  for (const [start, end] of listFences(text)) {
    rest += text.slice(at, start)
    at = end
  }
  return rest + text.slice(at)
}
