import { atOnce, type Pieces } from '../core/in-pieces.ts'
import { withoutHalfPair } from './half-pair.ts'

/**
 * Long texts are cut into chunks for their vectors: the mean of a long text's word vectors means little.
 * Headings and paragraphs are kept together where they fit; neighbours of a cut share one sentence.
 */

/** Passages of 100 to 150 words were the best unit for vectors, and for short texts the question does not arise. */
export const maxChunkWords = 150
/** For text without spaces, where counting words says nothing. */
const maxChunkChars = 1200

interface Piece {
  text: string
  words: number
  /** A heading or a paragraph begins here: a good place to cut. */
  opensBlock: boolean
}

function countWords(text: string): number {
  const word = /\S+/g
  let words = 0
  while (word.test(text)) words++
  return Math.max(words, Math.ceil((text.length * maxChunkWords) / maxChunkChars))
}

/** Cuts what is too long for one chunk by itself: at white space where there is some, else anywhere between characters. */
function cutSentence(sentence: string): string[] {
  const parts: string[] = []
  let rest = sentence
  // The length first: counting the words of all that is left, for each part anew, would be quadratic.
  while (rest.length > maxChunkChars || countWords(rest) > maxChunkWords) {
    const head = /^(?:\s*\S+){1,100}/.exec(rest.slice(0, maxChunkChars))?.[0] ?? rest.slice(0, maxChunkChars)
    const part = withoutHalfPair(head) || head
    parts.push(part)
    rest = rest.slice(part.length)
  }
  if (rest.trim() !== '') parts.push(rest)
  return parts
}

/** Sentences between two places to rest: some milliseconds. */
const stride = 2048

function* pieces(text: string): Pieces<Piece[]> {
  const found: Piece[] = []
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
  return found
}

/** What `split` gives, one after the other. */
function* partsOf(text: string, border: RegExp): Generator<string> {
  let start = 0
  for (const { 0: parting, index } of text.matchAll(border)) {
    if (index + parting.length === 0 || index === text.length) continue
    yield text.slice(start, index)
    start = index + parting.length
  }
  yield text.slice(start)
}

/** Where to cut before `end`, which no longer fits: at a block if that leaves the chunk more than half full. */
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

/** Chunks of at most 150 words each, in order. A short text is its own only chunk; a blank one has none. */
export const chunkText = (text: string): string[] => atOnce(chunking(text))

/** `chunkText` in pieces: 500,000 characters of one-letter sentences take 0.2 s. */
export function* chunking(text: string): Pieces<string[]> {
  if (text.trim() === '') return []
  if (text.length <= maxChunkChars && countWords(text) <= maxChunkWords) return [text]
  const all = yield* pieces(text)
  const chunks: string[] = []
  let start = 0
  while (start < all.length) {
    if (chunks.length % chunksAtOnce === 0) yield
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
