import { expandContraction } from './word-forms.ts'

/** A word of a text with the punctuation that matters. */
export interface Written {
  /** As written, without punctuation around it. */
  text: string
  lower: string
  beginsSentence: boolean
  /** The punctuation after it, if it matters. */
  sign: '.' | '?' | ',' | ':' | undefined
  article: 'a' | 'the' | undefined
  /** It replaces several words. */
  isMerged?: boolean
}

const enders = /[.!?;…]/

/** `isLiteral`: keeps contractions and hyphens. */
export function writtenWords(text: string, isLiteral: boolean): Written[] {
  const words: Written[] = []
  let beginsSentence = true
  for (const [chunk] of text.matchAll(/\n|\S+/gu)) {
    if (chunk === '\n') {
      endSentence(words)
      beginsSentence = true
      continue
    }
    const [start, end] = trimmed(chunk)
    const tail = chunk.slice(end)
    const parts = start === end ? loneSigns(chunk, beginsSentence) : partsOf(chunk.slice(start, end), isLiteral)
    for (const part of parts) {
      words.push({
        text: part,
        lower: part.toLowerCase(),
        beginsSentence,
        sign: undefined,
        article: undefined,
      })
      beginsSentence = false
    }
    const last = words.at(-1)
    if (last === undefined || start === end) continue
    if (tail.includes('?')) last.sign = '?'
    else if (enders.test(tail) && !titles.has(last.lower)) last.sign = '.'
    else if (tail.includes(':')) last.sign = ':'
    else if (tail.includes(',')) last.sign = ','
    beginsSentence = last.sign !== undefined && last.sign !== ','
  }
  return words
}

const titles = new Set(['mr', 'mrs', 'ms', 'dr', 'st', 'no', 'vs', 'e.g', 'i.e', 'approx'])

function endSentence(words: Written[]): void {
  const last = words.at(-1)
  if (last !== undefined) last.sign ??= '.'
}

/** A lone dot or dash separates or begins a list item and is dropped; any other sign is kept as a word. */
const loneSigns = (chunk: string, beginsSentence: boolean): string[] =>
  /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`,.;:…!¡¿·•–—]+$/u.test(chunk) || (beginsSentence && /^[-*]$/.test(chunk)) ? [] : [chunk]

function partsOf(part: string, isLiteral: boolean): readonly string[] {
  if (isExact(part)) return [part]
  if (isLiteral) return /\p{L}'s$/u.test(part) ? [part.slice(0, -2), "'s"] : [part]
  return part
    .replace(/(?<!^re)(?<=\p{L})-(?=\p{L})/giu, '')
    .split(/[^\p{L}\p{M}\p{N}'-]+/u)
    .filter((word) => word !== '')
    .flatMap(expand)
}

const pronouns = new Set(['he', 'she', 'it', 'that', 'there', 'here', 'what', 'who', 'where', 'this'])
const endings: Readonly<Record<string, string>> = { m: 'am', re: 'are', ve: 'have', ll: 'will' }

function expand(word: string): readonly string[] {
  const lower = word.toLowerCase()
  const known = expandContraction(lower)
  if (known !== undefined) return known
  if (lower.endsWith("n't")) return [word.slice(0, -3), 'not']
  const at = lower.lastIndexOf("'")
  if (at < 1) return [word]
  const [stem, ending] = [word.slice(0, at), lower.slice(at + 1)]
  if (ending === 's') return [stem, pronouns.has(stem.toLowerCase()) ? 'is' : "'s"]
  const full = endings[ending]
  return full === undefined ? [word] : [stem, full]
}

export function sentencesOf(words: readonly Written[]): Written[][] {
  const sentences: Written[][] = [[]]
  for (const word of words) {
    sentences.at(-1)?.push(word)
    if (word.sign === '?') sentences.at(-1)?.push({ ...word, text: '?', lower: '?', beginsSentence: false })
    if (word.sign === '?' || word.sign === '.') sentences.push([])
  }
  return sentences
}

/** Whether a chunk must match to the letter: it has a digit, a sign of paths, addresses or flags, or an inner capital. */
export const isExact = (chunk: string): boolean =>
  !/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(chunk) &&
  (/[\p{N}_/\\@#+=<>|~^&$€£%§°→←-]/u.test(chunk.replace(/(?<=\p{L})-(?=\p{L})/gu, '')) ||
    /\p{Ll}\p{Lu}|\p{L}[.:]\p{L}|[^\p{L}\p{M}\p{P}]/u.test(chunk))

/** A set instead of a regular expression, which would take quadratic time on "x......x" if anchored to the end. */
const outer = new Set(`"'“”‘’«»„()[]{},;:!?….¿¡*\``)

/** Where a chunk begins and ends without the punctuation around it. The first signs of ".5" and "!=" are not punctuation. */
export function trimmed(chunk: string): [start: number, end: number] {
  let [start, end] = [0, chunk.length]
  while (
    start < end &&
    outer.has(chunk[start] ?? '') &&
    !/^(?:\.\p{N}|![^\s\p{P}])/u.test(chunk.slice(start, start + 3))
  )
    start++
  while (end > start && outer.has(chunk[end - 1] ?? '')) end--
  return [start, end]
}
