import { isNegation } from './negations.ts'
import { boundMarks } from '@holdfast/transfer/text/normalise'
import { isExact } from './exact-words.ts'
import { closingPhrases, fillerWords, openingInterjections, openingLabels, openingPhrases } from './frame-words.ts'
import { mergePhrases } from './merge-phrases.ts'
import { standIn } from './stand-ins.ts'
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
  /** Written with a capital or a sign; undefined where the sentence begins, and for phrases: both may have one. */
  isName: boolean | undefined
  /** One dropped before it: "an owner" is not "the owner", but either may be "owner"; but "none" is neither. */
  article: 'a' | 'the' | 'none' | undefined
  /** Behind it: "No, deploys happen" is not "No deploys happen". */
  sign: Written['sign']
}

/** Where one of these or a quotation stands, words are meant to the letter: "The command is delete", "The pin is five". */
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
    .map((words) => words.map((word, at) => asTerm(word, standIn(words, at))))

/** An article more is another value there, but where a sentence begins. */
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

/** "Note that Ann left" is not "Note that down". */
const opensClause = (opening: readonly string[], next: Written | undefined) =>
  opening.at(-1) !== 'that' || (next !== undefined && (clauseOpeners.has(next.lower) || /^\p{Lu}/u.test(next.text)))

/** Without what only leads to a claim or away from it: "Note:", "Keep in mind that", ", by the way". */
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

/** Where something is denied, asked, or said of some or of a case, a word that fills may be what it is about. */
const scoping = new Set(
  'all every each any some only few little if when unless while until who that which whether or ?'.split(' '),
)

const dropFillers = (words: readonly Written[]): readonly Written[] =>
  words.some(({ lower }) => scoping.has(lower) || isNegation(lower))
    ? words
    : words.filter(({ text }) => !fillerWords.has(text))

const reporting = new Set(['say', 'says', 'said', 'think', 'thinks', 'thought'])

/** Behind these "that" only leads to what is said or thought. */
const dropThat = (words: readonly Written[]): readonly Written[] =>
  words.filter(
    ({ lower }, at) =>
      lower !== 'that' || !reporting.has(words[at - 1]?.lower ?? '') || !clauseOpeners.has(words[at + 1]?.lower ?? ''),
  )

const articles: Readonly<Record<string, Written['article']>> = { the: 'the', a: 'a', an: 'a' }
/** Without its article it is another thing: "a few", "the 2". */
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

/** The letter case tells bytes from bits. */
const dataUnit = /^[kmgt]b(?:ps)?$/i

function asTerm({ text, lower, beginsSentence, article, sign, isMerged }: Written, key = lower): Term {
  const term = { key, text: lower, article, sign: sign === ',' || sign === ':' ? sign : undefined }
  if (isMerged === true) return { ...term, isName: undefined }
  if (isExact(text) || dataUnit.test(text)) return { ...term, key: text, isName: true }
  const isCapital = /^\p{Lu}/u.test(text)
  return { ...term, isName: isCapital && beginsSentence && !/^\p{Lu}{2,}$/u.test(text) ? undefined : isCapital }
}
