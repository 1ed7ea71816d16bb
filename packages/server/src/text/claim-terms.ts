import { isNegation } from './negations.ts'
import { boundMarks } from './normalise.ts'
import { isExact } from './exact-words.ts'
import {
  closingPhrases,
  fillerWords,
  openingInterjections,
  openingLabels,
  openingPhrases,
  presentWords,
} from './frame-words.ts'
import { mergePhrases, readGets } from './merge-phrases.ts'
import { abbreviations, sameOthers, standsForAll } from './same-words.ts'
import { keyOf, spell } from './word-forms.ts'
import { unifyValues } from './written-values.ts'
import { sentencesOf, writtenWords, type Written } from './written-words.ts'

/**
 * A text as the terms that it says, sentence by sentence: numbers and dates in one way of writing, contractions taken apart,
 * one word for all that stand for each other, without articles and fillers. Two texts with the same terms say the same. Linear.
 */
export interface Term {
  /** Equal for words that stand for each other, in the same form. */
  key: string
  /** The word in lower case. */
  text: string
  /** Written with a capital or a sign; undefined where the sentence begins, and for words that stand for others: both may have one. */
  isName: boolean | undefined
  /** One dropped before it: "an owner" is not "the owner", but either may be "owner". */
  article: 'a' | 'the' | undefined
  /** Behind it: "No, deploys happen" is not "No deploys happen". */
  sign: Written['sign']
}

export const termsOf = (text: string): Term[][] =>
  sentencesOf(writtenWords(unifyValues(boundMarks(text).normalize('NFC').replaceAll('’', "'"))))
    .map((sentence) => termsIn(mergePhrases(readGets(dropArticles(dropFillers(dropFrame(sentence)))))))
    .filter((sentence) => sentence.length > 0)

const startsWith = (words: readonly Written[], phrase: readonly string[], from: number) =>
  phrase.every((word, at) => words[from + at]?.lower === word)

/** "Note that Ann left" is not "Note that down". */
const opensClause = (opening: readonly string[], next: Written | undefined) =>
  opening.at(-1) !== 'that' || (next !== undefined && (clauseOpeners.has(next.lower) || /^\p{Lu}/u.test(next.text)))

/** Without what only leads to a claim or away from it: "Note:", "Keep in mind that", ", by the way". */
function dropFrame(words: readonly Written[]): Written[] {
  let [start, end] = [0, words.length]
  for (;;) {
    const signBehind = (phrase: readonly string[]) => words[start + phrase.length - 1]?.sign
    const phrase =
      openingLabels.find((label) => signBehind(label) === ':' && startsWith(words, label, start)) ??
      openingInterjections.find((word) => /[:,]/.test(signBehind(word) ?? '') && startsWith(words, word, start)) ??
      openingPhrases.find(
        (opening) => startsWith(words, opening, start) && opensClause(opening, words[start + opening.length]),
      )
    if (phrase === undefined || start + phrase.length >= end) break
    start += phrase.length
  }
  const closing = closingPhrases.find(
    (phrase) => startsWith(words, phrase, end - phrase.length) && words[end - phrase.length - 1]?.sign === ',',
  )
  if (closing === undefined || end - closing.length <= start) return words.slice(start, end)
  end -= closing.length
  return words.slice(start, end).map((word, at) => (start + at === end - 1 ? { ...word, sign: undefined } : word))
}

/** Behind these "that" only leads to what is said or thought. */
const reporting = new Set('say says said think thinks thought believe believes believed'.split(' '))
const clauseOpeners = new Set('the i you he she it we they his her its our my your their this these'.split(' '))

/** Where something is denied, asked, or said of some or of a case, a word that fills may be what it is about. */
const scoping = new Set(
  'all every each any some only few little if when unless while until who that which whether or ?'.split(' '),
)
const isPlain = (words: readonly Written[]) => words.every(({ lower }) => !scoping.has(lower) && !isNegation(lower))

const standingVerbs = new Set(
  'is are am uses use lives live works work has have runs run stays stay stands stand prefers prefer likes like needs need wants want studies study'.split(
    ' ',
  ),
)

/** Without "that" where it only leads on, "really", and without "now" as in "Emma now lives in Bergen": how things stand is how they stand now. */
function dropFillers(sentence: readonly Written[]): readonly Written[] {
  const isLink = (at: number) =>
    sentence[at]?.lower === 'that' &&
    reporting.has(sentence[at - 1]?.lower ?? '') &&
    clauseOpeners.has(sentence[at + 1]?.lower ?? '')
  const words = sentence.filter((_, at) => !isLink(at))
  if (!isPlain(words)) return words
  const isBesideVerb = (at: number) => [at - 1, at + 1].some((next) => standingVerbs.has(words[next]?.lower ?? ''))
  // In "Where Are You Now" it is a part of a name.
  return words.filter(({ text }, at) => !fillerWords.has(text) && !(presentWords.has(text) && isBesideVerb(at)))
}

const articles: Readonly<Record<string, Term['article']>> = { the: 'the', a: 'a', an: 'a' }
/** Without its article it is another thing: "a few", "the 2". */
const needsArticle = ({ lower }: Written) => /^(?:few|little|bit|lot|\p{N}+)$/u.test(lower)

function dropArticles(words: readonly Written[]): Written[] {
  const kept: Written[] = []
  let article: Term['article']
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    const found = articles[word.lower]
    if (found !== undefined && next !== undefined && !needsArticle(next)) article = found
    else {
      kept.push({ ...word, article })
      article = undefined
    }
  }
  return kept
}

/** Where one of these or a quotation stands, a word may be meant to the letter: "The command is delete". */
const naming = new Set(
  'named called name names command commands type types call calls method function endpoint field branch variable class column flag option event label alias value keyword word'.split(
    ' ',
  ),
)

function termsIn(words: readonly Written[]): Term[] {
  const isLiteral = words.some(({ lower, isQuoted }) => isQuoted || naming.has(lower))
  return readNote(words.map((word) => asTerm(word, isLiteral)))
}

/** The one colon of "Retention: 90 days". */
export const noteCopula = ':'

function readNote(terms: Term[]): Term[] {
  const at = terms.findIndex(({ sign }) => sign === ':')
  if (at < 0 || at === terms.length - 1 || terms.slice(at + 1).some(({ sign }) => sign === ':')) return terms
  const is = { key: noteCopula, text: noteCopula, isName: false, article: undefined, sign: undefined }
  return [...terms.slice(0, at), { ...(terms[at] as Term), sign: undefined }, is, ...terms.slice(at + 1)]
}

function asTerm({ text, lower, beginsSentence, article, sign, isMerged }: Written, isLiteral: boolean): Term {
  const behind = sign === ',' || sign === ':' ? sign : undefined
  const word = spell(lower)
  const term = { text: word, article, sign: behind }
  const isCapital = /^\p{Lu}/u.test(text)
  const isShort = /^\p{Lu}{2,}$/u.test(text)
  // "Contact Kid" names somebody; German nouns have capitals, and stand in the table of words with one form.
  const isProper = isCapital && !isShort && !beginsSentence
  const key = isLiteral ? word : isProper ? (sameOthers.get(word) ?? word) : keyOf(word)
  const isStandIn = key !== word || (!isLiteral && (standsForAll(word) || abbreviations.has(word)))
  if (isExact(text) && !isStandIn) return { ...term, key: text, isName: true }
  if (isMerged === true) return { ...term, key, isName: undefined }
  const isUncertain = (isCapital && beginsSentence && !isShort) || (isStandIn && (isShort || isExact(text)))
  return { ...term, key, isName: isUncertain ? undefined : isCapital }
}
