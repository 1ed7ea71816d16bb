import { stemmer as stemArabic } from '@orama/stemmers/arabic'
import { stemmer as stemGreek } from '@orama/stemmers/greek'
import { stemmer as stemHindi } from '@orama/stemmers/indian'
import { stemmer as stemRussian } from '@orama/stemmers/russian'
import { stem as stemEnglish } from 'porter2'
import { atOnce, type Pieces } from '../core/in-pieces.ts'

/**
 * Turns text into index words. Texts and queries use the same functions, so both sides agree. Everything takes linear time, because
 * hostile input arrives here before any limit on words applies.
 */

/** Scripts without spaces. Their runs become overlapping pairs of characters. */
const unspaced =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
const wordInAnyScript = `(?:(?![${unspaced}])[\\p{L}\\p{N}])(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])*`
const wordInAscii = '[A-Za-z0-9]+'
/** Words joined by single signs, as in paths, addresses, versions and identifiers. */
const joined = (word: string, letter: string) => `${word}(?:[-_./@:\\\\'’+&]${word})*(?:\\+\\+|#(?!${letter}))?`

interface Patterns {
  /** A run of an unspaced script, or joined words. */
  run: RegExp
  /** A run without joining signs other than apostrophes. */
  plainRun: RegExp
  /** The words of any other run. */
  word: RegExp
}

const anyScript: Patterns = {
  run: new RegExp(`[${unspaced}]+|${joined(wordInAnyScript, '\\p{L}')}`, 'gu'),
  plainRun: /^[\p{L}\p{N}\p{M}'’]+$/u,
  word: new RegExp(`${wordInAnyScript}(?:['’]${wordInAnyScript})*`, 'gu'),
}

/** The same for ASCII texts, which most are, without looking up the script of each character. */
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

/** Longer words are machine noise (base64, minified code): they are not stemmed, and not kept whole if joined. */
const maxWordChars = 64
const maxWholeChars = 128

/** Unicode's stream-safe limit. Sorting a run of combining marks takes quadratic time, and real text has no longer runs. */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu

/** Two Arabic ligatures that expand to 18 and 8 letters: a text of them would become 18 times as long. */
const honorifics = /[\ufdfa\ufdfb]/g

/**
 * The accents of Latin, Greek and Cyrillic, the vowel signs of Hebrew and Arabic, and Arabic's hamza and its stretched form. People write or
 * omit them. The breve stays on й, which is a letter of its own.
 */
const accents =
  /(?<![иИ])\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/gu

/** Folds compatibility forms and removes accents and vowel signs, so "zoe" finds "Zoë". */
export function fold(text: string): string {
  if (isAscii(text)) return text
  const safe = text.replace(honorifics, ' ').replace(tooManyMarks, '$1')
  return safe.normalize('NFKD').replace(accents, '').normalize('NFC')
}

/** "Ann's" becomes "ann", "we'll" becomes "we". Contractions with "not" are stop words. */
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
  /** Alternative forms of words. They come last, so they don't separate neighbors. */
  readings: string[]
  /** Single characters of pairs that can be words. */
  singles: Set<string>
  keepStopWords: boolean
}

/** Of the languages with these scripts, the largest one decides. A stem only has to be the same on both sides. */
const stemmers: readonly { script: RegExp; stem: (lower: string) => string }[] = [
  { script: /^[a-z]+$/, stem: stemEnglish },
  { script: /^\p{sc=Cyrillic}+$/u, stem: stemRussian },
  { script: /^\p{sc=Greek}+$/u, stem: stemGreek },
  { script: /^[\p{sc=Arabic}\p{M}]+$/u, stem: stemArabic },
  { script: /^[\p{sc=Devanagari}\p{M}]+$/u, stem: stemHindi },
]

function stemWord(lower: string): string {
  if (lower.length > maxWordChars) return lower
  // Snowball leaves nothing of some Greek words.
  return stemmers.find(({ script }) => script.test(lower))?.stem(lower) || lower
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

/** Chinese, Japanese and Korean characters: 茶 (tea), 죽 (porridge). */
const wordByItself = /[\p{sc=Han}\uac00-\ud7a3]/u

function takePairs(sink: Sink, run: string): void {
  const characters = Array.from(run)
  for (const character of new Set(characters)) if (wordByItself.test(character)) sink.singles.add(character)
  if (characters.length === 1) sink.words.push(run)
  for (let i = 1; i < characters.length; i++) sink.words.push(`${characters[i - 1]}${characters[i]}`)
}

function collect(text: string, keepStopWords: boolean): Sink {
  const sink: Sink = { words: [], readings: [], singles: new Set(), keepStopWords }
  collectInto(sink, text)
  return sink
}

/** `text` must be folded. */
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
 * The words of a text in order: folded, in lower case, as stems, without English stop words. Identifiers give their parts and, at the
 * end of the list, the whole identifier (or the parts of a camelCase word). A text with nothing but stop words gives those, so it can
 * still be found. A text without letters or digits gives no words.
 */
export const tokenize = (text: string): string[] => atOnce(tokenizing(text))

/** `tokenize` in pieces: 500,000 characters of English take 0.3 s. */
export function* tokenizing(text: string): Pieces<string[]> {
  return allWords(yield* collectWords(text))
}

/**
 * The words that a text is found by: those of `tokenize`, then the single characters of its pairs. Only records need these: a question of
 * one character has it as its word, and with the characters of longer ones it would match what only shares a character.
 */
export const indexWords = (text: string): string[] => atOnce(indexingWords(text))

/** `indexWords` in pieces. */
export function* indexingWords(text: string): Pieces<string[]> {
  const sink = yield* collectWords(text)
  const words = allWords(sink)
  for (const word of words) sink.singles.delete(word)
  return sink.singles.size === 0 ? words : [...words, ...sink.singles]
}

function* collectWords(text: string): Pieces<Sink> {
  const sink = yield* collectAll(text, false)
  return sink.words.length + sink.readings.length > 0 ? sink : yield* collectAll(text, true)
}

/** Characters that always end a word, also after folding. */
const border = /[\s。、，！？；]/g
const pieceChars = 8192
/** Without such a character the input isn't prose and is cut anywhere. */
const maxPieceChars = 16_384

function* collectAll(text: string, keepStopWords: boolean): Pieces<Sink> {
  const sink: Sink = { words: [], readings: [], singles: new Set(), keepStopWords }
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

/** The distinct words that `tokenize` drops, in lower case. Empty if it keeps them because there are no others. */
export function leftOutWords(text: string): string[] {
  const folded = fold(text)
  if (allWords(collect(folded, false)).length === 0) return []
  const words = folded.match(anyScript.word) ?? []
  const left = words.map((word) => word.toLowerCase()).filter((lower) => saysNothing(dropContraction(lower)))
  return [...new Set(left)]
}

/**
 * The words of a name, in the order in which `tokenize` returns them for a text with that name. Empty for stop words and single
 * letters, which aren't names. A word with a sign ("C++", "AT&T") counts as a whole.
 */
export function nameWords(name: string): string[] {
  const folded = fold(name)
  const { words, readings } = collect(folded, false)
  if (words.length > 1) return words
  const whole = folded.trim().toLowerCase()
  if (readings.includes(whole)) return [whole]
  return words[0]?.length === 1 ? [] : words
}

/**
 * English function words, dropped from texts and queries because they match everything. Contractions are not listed, since the
 * tokenizer splits them first. Other languages have no list; their frequent words simply weigh little. "May" is also a month.
 */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a an the this that these those ' +
    'i me my mine myself we us our ours ourselves you your yours yourself yourselves ' +
    'he him his himself she her hers herself it its itself they them their theirs themselves ' +
    'who whom whose which what when where why how ' +
    'am is are was were be been being do does did doing done have has had having ' +
    'can could might must shall should will would ought ' +
    'and or but nor so yet if then else than because as while until although though unless whether ' +
    'of at by for with about against between into through during before after above below to from up down ' +
    'in out on off over under upon onto within without via per ' +
    'again further once here there now just only own same too very also still even ever ' +
    'all any both each few more most other another some such no not none every either neither ' +
    'let lets cannot'
  ).split(' '),
)

/** Removes half a surrogate pair that a cut left at the end. */
export const withoutHalfPair = (cut: string): string => cut.replace(/[\ud800-\udbff]$/, '')

/** Counts words as a person would: runs of letters and digits, and each Chinese or Japanese character. */
export function countWords(text: string): number {
  let words = 0
  for (const { 0: run, 1: ideographs } of text.matchAll(wordPattern))
    words += ideographs === undefined ? 1 : run.length - (run.match(secondHalf)?.length ?? 0)
  return words
}

/** The second half of a surrogate pair. */
const secondHalf = /[\udc00-\udfff]/g
const ideograph = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]'
const wordPattern = new RegExp(
  `(${ideograph}+)|(?!${ideograph})[\\p{L}\\p{N}](?:(?!${ideograph})[\\p{L}\\p{N}\\p{M}_'’-])*`,
  'gu',
)
