import { isNegation } from './polarity.ts'
import { boundMarks } from '@holdfast/transfer/text/normalize'
import { isExact, sentencesOf, writtenWords, type Written } from './written-words.ts'
import {
  closingPhrases,
  fillerWords,
  openingInterjections,
  openingLabels,
  openingPhrases,
  phrasesFrom,
} from './vocabulary.ts'
import { findCanonicalSynonym } from './synonyms.ts'
import { unifyValues } from './written-values.ts'

/**
 * The terms of a text, sentence by sentence. Numbers and dates have one notation, contractions are taken apart, synonyms become one
 * word, articles and fillers are dropped. Two texts with the same terms say the same. Takes linear time.
 */
export interface Term {
  /** Equal for synonyms in the same grammatical form. */
  key: string
  /** The word in lower case. */
  text: string
  /** Written with a capital or a sign. Undefined at the start of a sentence and for phrases, where a capital says nothing. */
  isName: boolean | undefined
  /** The article dropped before it. "An owner" differs from "the owner"; undefined matches either, 'none' only itself. */
  article: 'a' | 'the' | 'none' | undefined
  /** The punctuation after it: "No, deploys happen" is not "No deploys happen". */
  sign: Written['sign']
}

/** In a text with one of these words or a quotation, words are literal: "The command is delete", "The pin is five". */
const naming =
  /["“`]|\b(?:named?|names|called|commands?|types?|functions?|methods?|endpoint|fields?|branch|variable|column|flags?|label|alias|value|keyword|word|tags?|password|passphrase|passcode|pin|code (?:is|of|for|to)|token|secret|username|reads|prints|spel(?:t|led|ling))\b/i

export function termsOf(text: string): Term[][] {
  const written = boundMarks(text).normalize('NFC').replaceAll('’', "'")
  return (naming.test(written) ? literalTerms(written) : plainTerms(unifyValues(written))).filter(
    (sentence) => sentence.length > 0,
  )
}

const plainTerms = (text: string): Term[][] =>
  sentencesOf(writtenWords(text, false))
    .map((sentence) => mergePhrases(dropArticles(dropThat(dropFillers(dropFrame(sentence))))))
    .map((words) => words.map((word, at) => asTerm(word, findCanonicalSynonym(words, at))))

/** In literal text an additional article changes the value, except at the start of a sentence. */
const literalTerms = (text: string): Term[][] =>
  sentencesOf(writtenWords(text, true)).map((sentence) =>
    dropArticles(sentence).map((word, at) => ({
      ...asTerm(word),
      article: word.article ?? (at === 0 ? undefined : 'none'),
    })),
  )

const startsWith = (words: readonly Written[], phrase: readonly string[], from: number) =>
  phrase.every((word, at) => words[from + at]?.lower === word)

const clauseOpeners = new Set('the i you he she it we they his her its our my your their this these'.split(' '))

/** Whether a clause follows: "Note that Ann left", but not "Note that down". */
const opensClause = (opening: readonly string[], next: Written | undefined) =>
  opening.at(-1) !== 'that' || (next !== undefined && (clauseOpeners.has(next.lower) || /^\p{Lu}/u.test(next.text)))

/** Drops words that only introduce or close a claim: "Note:", "Keep in mind that", ", by the way". */
function dropFrame(words: readonly Written[]): Written[] {
  let [start, end] = [0, words.length]
  for (;;) {
    const signBehind = (phrase: readonly string[]) => words[start + phrase.length - 1]?.sign ?? ''
    const phrase =
      openingLabels.find((label) => signBehind(label) === ':' && startsWith(words, label, start)) ??
      openingInterjections.find((word) => /[:,]/.test(signBehind(word)) && startsWith(words, word, start)) ??
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

/** In sentences with these words or a negation, a filler may be the point: "Not all tests really ran". */
const scoping = new Set(
  'all every each any some only few little if when unless while until who that which whether or ?'.split(' '),
)

const dropFillers = (words: readonly Written[]): readonly Written[] =>
  words.some(({ lower }) => scoping.has(lower) || isNegation(lower))
    ? words
    : words.filter(({ text }) => !fillerWords.has(text))

const reporting = new Set(['say', 'says', 'said', 'think', 'thinks', 'thought'])

/** Drops "that" after "says" or "thinks", where it only introduces a clause. */
const dropThat = (words: readonly Written[]): readonly Written[] =>
  words.filter(
    ({ lower }, at) =>
      lower !== 'that' || !reporting.has(words[at - 1]?.lower ?? '') || !clauseOpeners.has(words[at + 1]?.lower ?? ''),
  )

const articles: Readonly<Record<string, Written['article']>> = { the: 'the', a: 'a', an: 'a' }
/** Words that mean something else without their article: "a few", "the 2". */
const needsArticle = ({ lower }: Written) => /^(?:few|little|bit|lot|\p{N}+)$/u.test(lower)

function dropArticles(words: readonly Written[]): Written[] {
  const kept: Written[] = []
  let article: Written['article']
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

/** Units whose case matters: bytes or bits. */
const dataUnit = /^[kmgt]b(?:ps)?$/i

function asTerm({ text, lower, beginsSentence, article, sign, isMerged }: Written, key = lower): Term {
  const term = { key, text: lower, article, sign: sign === ',' || sign === ':' ? sign : undefined }
  if (isMerged === true) return { ...term, isName: undefined }
  if (isExact(text) || dataUnit.test(text)) return { ...term, key: text, isName: true }
  const isCapital = /^\p{Lu}/u.test(text)
  return { ...term, isName: isCapital && beginsSentence && !/^\p{Lu}{2,}$/u.test(text) ? undefined : isCapital }
}

/** Replaces known phrases by their shorter equivalent. */
function mergePhrases(words: readonly Written[]): Written[] {
  const merged: Written[] = []
  for (let at = 0; at < words.length;) {
    const word = words[at] as Written
    const phrase = phrasesFrom(word.lower).find((each) =>
      each.words.every((part, index) => words[at + index]?.lower === part),
    )
    if (phrase === undefined) merged.push(word)
    else
      for (const [place, lower] of phrase.to.entries()) {
        const article = place === 0 ? word.article : undefined
        merged.push({ ...word, article, text: lower, lower, sign: undefined, isMerged: true })
      }
    at += phrase?.words.length ?? 1
    merged[merged.length - 1] = { ...(merged.at(-1) as Written), sign: words[at - 1]?.sign }
  }
  return merged
}
