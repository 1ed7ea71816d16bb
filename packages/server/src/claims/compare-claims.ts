import { countUnspacedNegations, isNegation, areOpposites, isLimit, sidesOf, wordKey, type Side } from './polarity.ts'
import { detailsOf } from './details.ts'
import { boundMarks } from '@holdfast/transfer/text/normalize'
import { stopWords } from '../text/tokenize.ts'
import { singular } from './word-forms.ts'
import { unifyValues } from './written-values.ts'

/**
 * How two similar texts differ. Word overlap and vectors miss what matters most: a digit, a "not", who does what to whom.
 * Any field that is false is a reason to keep the texts apart; if all are true, that proves nothing. Takes linear time.
 */
export interface Comparison {
  /** The same numbers, dates, ids, addresses and signs, in any order. */
  hasSameDetails: boolean
  /** Both have the same negations and limiting words, and take no opposite sides. */
  hasSamePolarity: boolean
  /** Details and shared words come in the same order: "A reports to B" is not "B reports to A". */
  hasSameOrder: boolean
  /** Neither contains a name that the other lacks. */
  hasSameNames: boolean
  /** Neither has a side word (such as "always") that the other lacks. */
  hasSameSides: boolean
  /** Both are one sentence with the same words up to a verb of state such as "is": they make two statements about one thing. */
  hasSameSubject: boolean
  /** The newer text has all words of the older one and more. */
  isExtended: boolean
  /** The older text has all words of the newer one and more. */
  isShortened: boolean
}

interface Word {
  /** Lower case. */
  text: string
  /** Equal for a word and its plural. */
  key: string
  /** Has a capital although it doesn't begin a sentence. */
  isName: boolean
  isNegation: boolean
  /** Limits the statement, as "only" does. */
  isLimit: boolean
  isFunctionWord: boolean
  /** "Ann's". */
  isPossessive: boolean
  sides: readonly Side[]
}

/** `entities`: names that may occur in either text. */
export function compareClaims(older: string, newer: string, entities: readonly string[]): Comparison {
  const texts = [older, newer].map((text) => unifyValues(boundMarks(text).normalize('NFC')))
  const [a = [], b = []] = texts.map(wordsOf)
  const [mine = [], yours = []] = texts.map(detailsOf)
  return {
    hasSameDetails: isSameList(mine.toSorted(), yours.toSorted()),
    hasSamePolarity: isSameDenial(older, newer, a, b) && !takesOtherSide(a, b) && isSameList(limitsIn(a), limitsIn(b)),
    hasSameOrder: isSameOrder(a, b) && isSameList(mine, yours),
    hasSameNames: hasSameNames(a, b, entities) && !differsInFirst(a, b),
    hasSameSides: isSameList(sidesSaid(a), sidesSaid(b)),
    hasSameSubject: texts.every(isOneSentence) && hasSameSubject(a, b),
    isExtended: isExtended(a, b),
    isShortened: isExtended(b, a),
  }
}

const wordPattern = /\p{L}[\p{L}\p{M}\p{N}]*(?:['’][\p{L}\p{M}]+)*/gu
/** Signs before the first word of a sentence, a quotation or a list item. */
const openers = new Set('.!?:;…"“«(*•-')

const beginsSentence = (before: string) => before.includes('\n') || openers.has(before.trimEnd().at(-1) ?? '')

function wordsOf(text: string): Word[] {
  const words: Word[] = []
  // Cached per text: looking a word up in all tables takes longer than finding it.
  const known = new Map<string, Word>()
  let end = 0
  for (const match of text.matchAll(wordPattern)) {
    const before = match.input.slice(end, match.index)
    end = match.index + match[0].length
    const isFirst = words.length === 0 || beginsSentence(before)
    const place = isFirst ? `.${match[0]}` : match[0]
    const word = known.get(place) ?? describeWord(match[0], isFirst)
    known.set(place, word)
    words.push(word)
  }
  return words
}

function describeWord(written: string, isFirst: boolean): Word {
  const lower = written.toLowerCase().replaceAll('’', "'")
  const text = isNegation(lower) ? lower : lower.replace(/'(?:s|m|d|re|ve|ll)$/, '')
  const isFunctionWord = stopWords.has(text)
  return {
    text,
    key: singular(text),
    isName: /^\p{Lu}/u.test(written) && !isFirst && !isFunctionWord,
    isNegation: isNegation(text),
    isLimit: isLimit(text),
    isFunctionWord,
    isPossessive: lower.endsWith("'s") && !isFunctionWord,
    sides: sidesOf(text),
  }
}

const isSameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((value, at) => value === b[at])

const isSameDenial = (older: string, newer: string, a: readonly Word[], b: readonly Word[]) =>
  countDenials(a) === countDenials(b) && countUnspacedNegations(older) === countUnspacedNegations(newer)

const countDenials = (words: readonly Word[]) => words.filter((word) => word.isNegation).length

const limitsIn = (words: readonly Word[]) => words.filter((word) => word.isLimit).map(({ text }) => wordKey(text))

function takesOtherSide(a: readonly Word[], b: readonly Word[]): boolean {
  const [mine, yours] = [sidesIn(a), sidesIn(b)]
  for (const [matter, sides] of mine) {
    const others = yours.get(matter)
    if (others !== undefined && (sides.size !== others.size || [...sides].some((side) => !others.has(side))))
      return true
  }
  return hasOppositeWords(a, b)
}

function sidesIn(words: readonly Word[]): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>()
  for (const { sides } of words)
    for (const { matter, side } of sides) found.set(matter, (found.get(matter) ?? new Set()).add(side))
  return found
}

const sidesSaid = (words: readonly Word[]): string[] =>
  words
    .filter(({ isFunctionWord }) => !isFunctionWord)
    .flatMap(({ sides }) => sides.map(({ matter, side }) => `${matter} ${side}`))
    .toSorted()

/** Texts with more words that the other lacks differ too much to be mistaken for each other. */
const maxOwnWords = 100

function hasOppositeWords(a: readonly Word[], b: readonly Word[]): boolean {
  const [mine, yours] = [ownWords(a, b), ownWords(b, a)]
  return mine.some((word) => yours.some((other) => areOpposites(word, other)))
}

function ownWords(words: readonly Word[], others: readonly Word[]): string[] {
  const known = new Set(others.map(({ text }) => text))
  return [...new Set(words.map(({ text }) => text))].filter((text) => !known.has(text)).slice(0, maxOwnWords)
}

/** Compares only content words that occur once in each text; grammar decides where the others go. */
function isSameOrder(a: readonly Word[], b: readonly Word[]): boolean {
  const [mine, yours] = [tellingOnce(a), tellingOnce(b)]
  const both = (words: ReadonlySet<string>, others: ReadonlySet<string>) => [...words].filter((key) => others.has(key))
  return isSameList(both(mine, yours), both(yours, mine))
}

function tellingOnce(words: readonly Word[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { key } of words) counts.set(key, (counts.get(key) ?? 0) + 1)
  const tells = ({ key, isFunctionWord, isNegation: denies, sides }: Word) =>
    counts.get(key) === 1 && (!isFunctionWord || denies || sides.length > 0)
  return new Set(words.filter(tells).map(({ key }) => key))
}

function hasSameNames(a: readonly Word[], b: readonly Word[], entities: readonly string[]): boolean {
  const named = new Set(entities.flatMap((entity) => wordsOf(entity).map(({ key }) => key)))
  const names = (words: readonly Word[]) => words.filter(({ key, isName }) => isName || named.has(key))
  const lacks = (words: readonly Word[], others: readonly Word[]) => {
    const known = new Set(others.map(({ key }) => key))
    return names(words).some(({ key }) => !known.has(key))
  }
  return !lacks(a, b) && !lacks(b, a)
}

/** "Tests run nightly" and "Backups run nightly" differ in one word, but it is the subject. */
const differsInFirst = ([first, ...a]: readonly Word[], [other, ...b]: readonly Word[]) =>
  first?.key !== other?.key && a.length === b.length && a.every(({ key }, at) => key === b[at]?.key)

/** Verbs with one value at a time, which a newer text replaces. What someone owns, likes or speaks is added to instead. */
const stateVerbs = new Set(
  (
    'is are am was were become becomes became works work lives live resides uses use prefers prefer runs run listens ' +
    'costs reports belongs weighs stays moved ist sind war wohnt arbeitet nutzt läuft heißt gehört est sont était habite ' +
    'travaille utilise es son está están era vive trabaja usa'
  ).split(' '),
)
const speakers = new Set(['i', 'we', 'ich', 'wir', 'je', 'nous', 'yo', 'nosotros'])
const timeAdverbs = new Set(['now', 'currently', 'still', 'already', 'jetzt', 'derzeit', 'maintenant', 'ahora'])

/** Verbs with several values at once, but one for each purpose: "uses Redis for caching". */
const sharedVerbs = new Set(['uses', 'use', 'runs', 'run', 'nutzt', 'utilise', 'usa'])
/** After "is", these begin statements that can all be true of one thing: "is a nurse", "is allergic to cats", "is Ann's sister". */
const additive = new Set(
  'a an ein eine un une una one also allergic interested fluent afraid fond good bad friends related certified member able aware part like'.split(
    ' ',
  ),
)

/** If one sentence were replaced, the others would be lost with it. */
const isOneSentence = (text: string) => !/[.!?;]\s+\S|\n\s*\S/.test(text.trim())

function hasSameSubject(a: readonly Word[], b: readonly Word[]): boolean {
  const isAdditive = (words: readonly Word[]) =>
    words.some(
      ({ text }, at) =>
        stateVerbs.has(text) && (additive.has(words[at + 1]?.text ?? '') || words[at + 1]?.isPossessive === true),
    )
  if (isAdditive(a) || isAdditive(b)) return false
  const plain = (words: readonly Word[]) => words.filter(({ text }) => !fillers.has(text) && !timeAdverbs.has(text))
  const [older, newer] = [plain(a), plain(b)]
  let isNamed = false
  for (const [at, { key, text, isFunctionWord }] of newer.entries()) {
    if (older[at]?.key !== key) return false
    if (isNamed && stateVerbs.has(text)) return !sharedVerbs.has(text) || older.at(-1)?.key === newer.at(-1)?.key
    isNamed ||= !isFunctionWord || speakers.has(text)
  }
  return false
}

const fillers = new Set(['a', 'an', 'the', 'please', 'really', 'simply', 'basically', 'actually'])

function isExtended(a: readonly Word[], b: readonly Word[]): boolean {
  const said = (words: readonly Word[]) => new Set(words.filter(isSaid).map(({ key }) => key))
  const [older, newer] = [said(a), said(b)]
  return newer.size > older.size && [...older].every((key) => newer.has(key))
}

const isSaid = ({ text, isFunctionWord }: Word) => !isFunctionWord && !fillers.has(text)
