import { countUnspacedNegations, isNegation } from './negations.ts'
import { detailsOf } from './details.ts'
import { boundMarks } from '@holdfast/transfer/text/normalise'
import { areTurned, isLimit, sidesOf, wordKey, type Side } from './opposites.ts'
import { stopWords } from './stop-words.ts'
import { singular } from './word-forms.ts'
import { unifyValues } from './written-values.ts'

/**
 * Whether two texts that look alike may say the same. Words in common and vectors are blind to what matters most: a digit,
 * a "not", who does what to whom. Each answer is a reason to keep two texts apart; none of them proves that two agree. Linear in
 * the texts.
 */
export interface Comparison {
  /** The same numbers, dates, ids, addresses and signs, in whatever order. */
  hasSameDetails: boolean
  /** As much is denied and narrowed in both, and neither takes the other side of a matter. */
  hasSamePolarity: boolean
  /** These, and what both name, come in the same order: "A reports to B" is not "B reports to A". */
  hasSameOrder: boolean
  /** Neither names somebody or something that the other does not. */
  hasSameNames: boolean
  /** Neither takes a side of a matter, by a word that is none of grammar, on which the other says nothing: "always proud", "proud". */
  hasSameSides: boolean
  /** Both are one sentence and begin with the same words up to a verb that tells how something stands: what differs is said of one thing. */
  hasSameSubject: boolean
  /** The newer has all words of the older, and others: it says so much more. */
  isExtended: boolean
  /** The older has all words of the newer, and others. */
  isShortened: boolean
}

interface Word {
  /** Lower case. */
  text: string
  /** Equal for a word and its plural. */
  key: string
  /** Written with a capital that no sentence begins with. */
  isName: boolean
  isNegation: boolean
  /** Narrows what is said. */
  isLimit: boolean
  isFunctionWord: boolean
  /** "Ann's". */
  isPossessive: boolean
  sides: readonly Side[]
}

/** `entities`: names that either text may hold. */
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
/** Signs before the first word of a sentence, a quotation or a list's item. */
const openers = new Set('.!?:;…"“«(*•-')

const beginsSentence = (before: string) => before.includes('\n') || openers.has(before.trimEnd().at(-1) ?? '')

function wordsOf(text: string): Word[] {
  const words: Word[] = []
  // Looking a word up in all tables takes longer than finding it.
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
  return hasTurned(a, b)
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

/** Longer lists of words that only one text has differ too much to be taken for each other anyway. */
const maxOwnWords = 100

function hasTurned(a: readonly Word[], b: readonly Word[]): boolean {
  const [mine, yours] = [ownWords(a, b), ownWords(b, a)]
  return mine.some((word) => yours.some((other) => areTurned(word, other)))
}

function ownWords(words: readonly Word[], others: readonly Word[]): string[] {
  const known = new Set(others.map(({ text }) => text))
  return [...new Set(words.map(({ text }) => text))].filter((text) => !known.has(text)).slice(0, maxOwnWords)
}

/** Of the words that each text has once, and that tell; the others may stand where the language wants them. */
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

/** "Tests run nightly" and "Backups run nightly" differ in one word, but that is what they are about. */
const differsInFirst = ([first, ...a]: readonly Word[], [other, ...b]: readonly Word[]) =>
  first?.key !== other?.key && a.length === b.length && a.every(({ key }, at) => key === b[at]?.key)

/** Of these a thing has one value at a time. What one owns, likes or speaks is added to, not replaced. */
const stateVerbs = new Set(
  (
    'is are am was were become becomes became works work lives live resides uses use prefers prefer runs run listens ' +
    'costs reports belongs weighs stays moved ist sind war wohnt arbeitet nutzt läuft heißt gehört est sont était habite ' +
    'travaille utilise es son está están era vive trabaja usa'
  ).split(' '),
)
const speakers = new Set(['i', 'we', 'ich', 'wir', 'je', 'nous', 'yo', 'nosotros'])
const timeAdverbs = new Set(['now', 'currently', 'still', 'already', 'jetzt', 'derzeit', 'maintenant', 'ahora'])

/** Of these a thing has many at once, but one for each purpose: "uses Redis for caching". */
const sharedVerbs = new Set(['uses', 'use', 'runs', 'run', 'nutzt', 'utilise', 'usa'])
/** What follows "is" and may be said of one thing several times: "is a nurse", "is allergic to cats", "is Ann's sister". */
const additive = new Set(
  'a an ein eine un une una one also allergic interested fluent afraid fond good bad friends related certified member able aware part like'.split(
    ' ',
  ),
)

/** What another sentence tells would be lost with the first. */
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
