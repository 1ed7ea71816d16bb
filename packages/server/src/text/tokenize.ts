import { stem } from 'porter2'
import { atOnce, type Pieces } from '../core/in-pieces.ts'
import { withoutHalfPair } from './half-pair.ts'
import { stopWords } from './stop-words.ts'

/**
 * Text to index words. Texts and queries go through the same function, so what matters is that both sides agree.
 * Everything here is linear in the text: it meets hostile input before any limit on words does.
 */

/** Scripts written without spaces: their runs become overlapping pairs of characters. */
const unspaced =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
const wordInAnyScript = `(?:(?![${unspaced}])[\\p{L}\\p{N}])(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])*`
const wordInAscii = '[A-Za-z0-9]+'
/** Words joined by single signs as in paths, addresses, versions and identifiers. */
const joined = (word: string, letter: string) => `${word}(?:[-_./@:\\\\'’+&]${word})*(?:\\+\\+|#(?!${letter}))?`

interface Patterns {
  /** A run of an unspaced script, or joined words. */
  run: RegExp
  /** A run that no sign but an apostrophe joins. */
  plainRun: RegExp
  /** The words of any other run. */
  word: RegExp
}

const anyScript: Patterns = {
  run: new RegExp(`[${unspaced}]+|${joined(wordInAnyScript, '\\p{L}')}`, 'gu'),
  plainRun: /^[\p{L}\p{N}\p{M}'’]+$/u,
  word: new RegExp(`${wordInAnyScript}(?:['’]${wordInAnyScript})*`, 'gu'),
}

/** What that comes to for texts of ASCII alone, as most are: without asking for the script of each character. */
const asciiOnly: Patterns = {
  run: new RegExp(joined(wordInAscii, '[A-Za-z]'), 'g'),
  plainRun: /^[A-Za-z0-9']+$/,
  word: new RegExp(`${wordInAscii}(?:'${wordInAscii})*`, 'g'),
}

// oxlint-disable-next-line no-control-regex -- the test for plain ASCII
const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

const unspacedPattern = new RegExp(`^[${unspaced}]`, 'u')
const camelPattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{N}]+|[^\p{Lu}\p{Ll}\p{N}]+/gu
const camelCase = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u

/** Longer ones are machine noise (base64, minified code): neither stemmed nor kept whole when they are joined. */
const maxWordChars = 64
const maxWholeChars = 128

/** Unicode's stream-safe limit. Sorting a run of combining marks takes quadratic time, and nobody writes longer runs. */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu

/** Two signs that stand for whole phrases of honour, 18 and 8 letters long: a text of them would become 18 times as long. */
const honorifics = /[\ufdfa\ufdfb]/g

/** Compatibility forms are folded and Latin, Greek and Cyrillic accents fall: "Zoë" is found by "zoe". */
export function fold(text: string): string {
  if (isAscii(text)) return text
  const safe = text.replace(honorifics, ' ').replace(tooManyMarks, '$1')
  return safe
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
}

/** "Ann's" is "ann", "we'll" is "we"; a contraction with "not" is a stop word whatever verb it begins with. */
function dropContraction(lower: string): string {
  const apostrophe = lower.search(/['’]/)
  if (apostrophe < 0) return lower
  const tail = lower.slice(apostrophe + 1)
  if (tail === 't' && lower[apostrophe - 1] === 'n') return ''
  if (/^(?:s|m|d|re|ve|ll)$/.test(tail)) return lower.slice(0, apostrophe)
  return lower.replace(/['’]/g, '')
}

const saysNothing = (bare: string): boolean => bare === '' || stopWords.has(bare)

interface Sink {
  words: string[]
  /** Second readings of words already taken; they go last so that they part no neighbours. */
  readings: string[]
  keepStopWords: boolean
}

function stemWord(lower: string): string {
  return lower.length <= maxWordChars && /^[a-z]+$/.test(lower) ? stem(lower) : lower
}

function takeWord(sink: Sink, original: string): void {
  const lower = original.toLowerCase()
  const bare = sink.keepStopWords ? lower.replace(/['’]/g, '') : dropContraction(lower)
  if (bare === '' || (!sink.keepStopWords && saysNothing(bare))) return
  sink.words.push(stemWord(bare))
  // Most words have no capital.
  if (lower !== original && bare.length <= maxWholeChars && camelCase.test(original)) {
    for (const part of original.match(camelPattern) ?? []) {
      const lowerPart = part.toLowerCase()
      if (lowerPart.length > 1 && !stopWords.has(lowerPart)) sink.readings.push(stemWord(lowerPart))
    }
  }
}

function takePairs(sink: Sink, run: string): void {
  const characters = Array.from(run)
  if (characters.length === 1) sink.words.push(run)
  for (let i = 1; i < characters.length; i++) sink.words.push(`${characters[i - 1]}${characters[i]}`)
}

function collect(text: string, keepStopWords: boolean): Sink {
  const sink: Sink = { words: [], readings: [], keepStopWords }
  collectInto(sink, text)
  return sink
}

/** `text` is folded. */
function collectInto(sink: Sink, text: string): void {
  const patterns = isAscii(text) ? asciiOnly : anyScript
  for (const run of text.match(patterns.run) ?? []) {
    if (unspacedPattern.test(run)) {
      takePairs(sink, run)
      continue
    }
    if (patterns.plainRun.test(run)) {
      takeWord(sink, run)
      continue
    }
    for (const part of run.match(patterns.word) ?? []) takeWord(sink, part)
    if (run.length <= maxWholeChars) sink.readings.push(run.toLowerCase())
  }
}

function allWords({ words, readings }: Sink): string[] {
  for (const reading of readings) words.push(reading)
  return words
}

/**
 * The words of a text in order: folded, lower case, English stems, stop words out. Identifiers give their parts and,
 * at the end of the list, themselves whole (or the parts of a camelCase word). A text of stop words alone gives those,
 * so that it can still be found; one without letters or digits gives none.
 */
export const tokenize = (text: string): string[] => atOnce(tokenizing(text))

/** `tokenize` in pieces: 500,000 characters take 0.3 s. */
export function* tokenizing(text: string): Pieces<string[]> {
  const words = allWords(yield* collectAll(text, false))
  return words.length > 0 ? words : allWords(yield* collectAll(text, true))
}

/** No word goes beyond such a character, and folding joins none with what stands before it. */
const border = /[\s。、，！？；]/g
const pieceChars = 8192
/** Where none comes, the text is no text: it is cut anywhere. */
const maxPieceChars = 16_384

function* collectAll(text: string, keepStopWords: boolean): Pieces<Sink> {
  const sink: Sink = { words: [], readings: [], keepStopWords }
  for (let start = 0; start < text.length;) {
    if (start > 0) yield
    border.lastIndex = start + pieceChars
    const found = text.length - start > pieceChars ? border.exec(text)?.index : undefined
    const piece = withoutHalfPair(text.slice(start, Math.min(found ?? text.length, start + maxPieceChars)))
    collectInto(sink, fold(piece))
    start += Math.max(1, piece.length)
  }
  return sink
}

/** The words of a text that `tokenize` leaves out, in lower case, each once; none where it keeps them for want of others. */
export function leftOutWords(text: string): string[] {
  const folded = fold(text)
  if (allWords(collect(folded, false)).length === 0) return []
  const words = folded.match(anyScript.word) ?? []
  const left = words.map((word) => word.toLowerCase()).filter((lower) => saysNothing(dropContraction(lower)))
  return [...new Set(left)]
}

/**
 * The words of a name in the order in which `tokenize` gives them for a text that holds it; none for what names nothing:
 * stop words, a single letter. What a sign makes of one word ("C++", "AT&T") counts as a whole.
 */
export function nameWords(name: string): string[] {
  const folded = fold(name)
  const { words, readings } = collect(folded, false)
  if (words.length > 1) return words
  const whole = folded.trim().toLowerCase()
  if (readings.includes(whole)) return [whole]
  return words[0]?.length === 1 ? [] : words
}
