import { isNegation } from './negations.ts'
import { boundMarks } from './normalise.ts'
import { closingPhrases, fillerWords, openingLabels, openingPhrases, presentWords } from './frame-words.ts'
import { phrasesFrom, standIn } from './same-words.ts'
import { basesOf, expandContraction, inflectionOf, singular, spell } from './word-forms.ts'
import { unifyValues } from './written-values.ts'

/**
 * A text as the terms that it says, sentence by sentence: numbers and dates in one way of writing, contractions taken apart,
 * one word for all that stand for each other, without articles and fillers. Two texts with the same terms say the same. Linear.
 */
export interface Term {
  /** Equal for words that stand for each other, and for a word and its plural. */
  key: string
  /** The base form of a word that ends as participles do: "validated" has "validate" and "validat". */
  bases: readonly string[]
  isPlural: boolean
  /** "A dog" is not "dogs". */
  isOne: boolean
  /** Written with a capital that no sentence begins with, or with a digit. */
  isName: boolean
}

interface Written {
  /** As it stands in the text, without punctuation around it. */
  text: string
  lower: string
  beginsSentence: boolean
  /** What stands behind it that matters: an end of a sentence, or what parts a label from what follows (a colon counts as a comma). */
  sign: '.' | '?' | ',' | undefined
  isOne: boolean
}

export const termsOf = (text: string): Term[][] =>
  sentencesOf(writtenWords(unifyValues(boundMarks(text).normalize('NFC').replaceAll('’', "'"))))
    .map((sentence) =>
      dropPresent(mergePhrases(dropFillers(dropFrame(sentence)))).map((word, at, all) => asTerm(word, all[at + 1])),
    )
    .filter((sentence) => sentence.length > 0)

const outer = new Set(`"'“”‘«»„()[]{},;:!?….¿¡*\``)
const enders = /[.!?;…]/

function writtenWords(text: string): Written[] {
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
    const parts = start === end ? loneSigns(chunk, beginsSentence) : partsOf(chunk.slice(start, end))
    for (const part of parts) {
      words.push({ text: part, lower: part.toLowerCase(), beginsSentence, sign: undefined, isOne: false })
      beginsSentence = false
    }
    const last = words.at(-1)
    if (last === undefined || start === end) continue
    if (tail.includes('?')) last.sign = '?'
    else if (enders.test(tail) && !titles.has(last.lower)) last.sign = '.'
    else if (/[:,]/.test(tail)) last.sign = ','
    beginsSentence = last.sign === '.' || last.sign === '?' || tail.includes(':')
  }
  return words
}

const titles = new Set(['mr', 'mrs', 'ms', 'dr', 'st', 'no', 'vs', 'e.g', 'i.e', 'approx'])

function endSentence(words: Written[]): void {
  const last = words.at(-1)
  if (last !== undefined) last.sign ??= '.'
}

function trimmed(chunk: string): [start: number, end: number] {
  let [start, end] = [0, chunk.length]
  // ".5", "!=", "!important"
  if (!/^(?:\.\p{N}|![^\s\p{P}])/u.test(chunk)) while (start < end && outer.has(chunk[start] ?? '')) start++
  while (end > start && outer.has(chunk[end - 1] ?? '')) end--
  return [start, end]
}

/** Dots and dashes part, and begin the items of lists; any other sign says something. */
const loneSigns = (chunk: string, beginsSentence: boolean): string[] =>
  /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`,.;:…!¡¿·•–—]+$/u.test(chunk) || (beginsSentence && /^[-*]$/.test(chunk)) ? [] : [chunk]

/** What is written to the letter: it holds a digit, a sign of paths, addresses and flags, or a capital inside. */
const isExact = (part: string) =>
  !/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(part) &&
  (/[\p{N}_/\\@#+=<>|~^&$€£%§°→←-]/u.test(part.replace(/(?<=\p{L})-(?=\p{L})/gu, '')) ||
    /\p{Ll}\p{Lu}|\p{L}[.:]\p{L}|[^\p{L}\p{M}\p{P}]/u.test(part))

function partsOf(part: string): string[] {
  if (isExact(part)) return [part]
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
  if (full !== undefined) return [stem, full]
  // "l'équipe", "n'est"
  return at <= 2 ? [word.slice(0, at + 1), word.slice(at + 1)] : [word]
}

function sentencesOf(words: readonly Written[]): Written[][] {
  const sentences: Written[][] = [[]]
  for (const word of words) {
    sentences.at(-1)?.push(word)
    if (word.sign === '?') sentences.at(-1)?.push({ ...word, text: '?', lower: '?', beginsSentence: false })
    if (word.sign === '?' || word.sign === '.') sentences.push([])
  }
  return sentences
}

const startsWith = (words: readonly Written[], phrase: readonly string[], from: number) =>
  phrase.every((word, at) => words[from + at]?.lower === word)

/** Without what only leads to a claim or away from it: "Note:", "Keep in mind that", ", by the way". */
function dropFrame(words: readonly Written[]): Written[] {
  let [start, end] = [0, words.length]
  for (;;) {
    const phrase =
      openingLabels.find((label) => startsWith(words, label, start) && words[start + label.length - 1]?.sign === ',') ??
      openingPhrases.find((opening) => startsWith(words, opening, start))
    if (phrase === undefined || start + phrase.length >= end) break
    start += phrase.length
  }
  const closing = closingPhrases.find((phrase) => startsWith(words, phrase, end - phrase.length))
  if (closing !== undefined && end - closing.length > start) end -= closing.length
  return words.slice(start, end)
}

const articles = new Set(['the', 'a', 'an'])
/** Behind these "that" only leads to what is said, thought or decided. */
const reporting = new Set(
  'say says said think thinks thought believe believes believed know knows knew mean means meant decide decides decided agree agrees agreed confirm confirms confirmed mention mentions mentioned'.split(
    ' ',
  ),
)

/** What is one by its article ends before these. */
const partingWords = new Set(
  'is are was were has have do did will can must may should would could of in on at for from to with without by and or not but if when that who which as than'.split(
    ' ',
  ),
)

const clauseOpeners = new Set(
  'the a an i you he she it we they his her its our my your their there this these'.split(' '),
)
const beginsClause = (word: Written | undefined) =>
  word !== undefined && (clauseOpeners.has(word.lower) || /^\p{Lu}/u.test(word.text))

function dropFillers(words: readonly Written[]): Written[] {
  const kept: Written[] = []
  let isOne = false
  for (const [at, word] of words.entries()) {
    if (articles.has(word.lower)) {
      isOne = word.lower !== 'the'
      continue
    }
    const isLink = word.lower === 'that' && reporting.has(kept.at(-1)?.lower ?? '') && beginsClause(words[at + 1])
    // In "Where Are You Now" it is a part of a name.
    if ((fillerWords.has(word.lower) && word.text === word.lower) || isLink) continue
    isOne &&= !partingWords.has(word.lower)
    kept.push({ ...word, isOne })
  }
  return kept
}

function mergePhrases(words: readonly Written[]): Written[] {
  const merged: Written[] = []
  for (let at = 0; at < words.length;) {
    const word = words[at] as Written
    const phrase = phrasesFrom(word.lower).find((each) => startsWith(words, each.words, at))
    if (phrase === undefined) merged.push(word)
    else merged.push(...phrase.to.map((lower) => ({ ...word, text: lower, lower })))
    at += phrase?.words.length ?? 1
  }
  return merged
}

const standingVerbs = new Set(
  'is are am uses use lives live works work has have runs run stays stay stands stand prefers prefer likes like needs need wants want studies study'.split(
    ' ',
  ),
)

/** "Emma now lives in Bergen": how things stand is how they stand now. */
function dropPresent(words: readonly Written[]): readonly Written[] {
  if (!words.some(({ text }) => presentWords.has(text)) || words.some(({ lower }) => isNegation(lower))) return words
  const isBesideVerb = (at: number) => [at - 1, at + 1].some((next) => standingVerbs.has(words[next]?.lower ?? ''))
  return words.filter(({ text }, at) => !presentWords.has(text) || !isBesideVerb(at))
}

/** Whoever loves hiking enjoys it; whoever loves Tom does not enjoy him. */
const feelings = new Set(['love', 'loves', 'loved', 'loving', 'enjoy', 'enjoys', 'enjoyed', 'enjoying'])
const persons = new Set(['me', 'you', 'him', 'her', 'us', 'them', 'my', 'his', 'their', 'our', 'your', 'each'])
const isOfSomebody = ({ text, lower }: Written) => persons.has(lower) || /^\p{Lu}/u.test(text)

function asTerm(written: Written, next: Written | undefined): Term {
  const { text, lower, isOne, beginsSentence } = written
  const isWritten = isExact(text) && standIn(lower) === undefined
  if (isWritten) return { key: text, bases: [], isPlural: false, isOne, isName: true }
  const word = spell(lower)
  const isName = /^\p{Lu}/u.test(text) && !beginsSentence
  const isFeeling = feelings.has(lower) && next !== undefined && isOfSomebody(next)
  const [base, form] = isFeeling ? [word, undefined] : inflectionOf(word)
  return {
    key: form === undefined ? base : `${base} ${form}`,
    bases: word.endsWith('ed') ? basesOf(word) : [],
    isPlural: form === undefined && singular(word) !== word,
    isOne,
    isName,
  }
}
