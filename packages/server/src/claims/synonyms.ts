import { foreignVerbs, nouns, rows, verbs } from './vocabulary.ts'
import { isNumber, pastOf, spell, withS } from './word-forms.ts'
import type { Written } from './written-words.ts'

/**
 * Where a synonym may replace a word: where it is used for its meaning, as the only verb of a sentence or as a noun with its article.
 * As a value ("The tag is photo"), a name, a command, or before another noun ("the delete button") it is literal.
 */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const subjects = words('i we you they he she it')
const prepositions = words('in on at by from for with of to after before until during since en a')
const determiners = words('the a an this that these those my our your his her its their each every all both some no')
const grammar = words(
  'is are am was were be been being has have had do does did can could will would shall should may might must not and or if when who which what',
)
const isFunctionWord = (word: string) =>
  subjects.has(word) || prepositions.has(word) || determiners.has(word) || grammar.has(word)

/** After a noun these are verbs: "the kids go", but "the car use form". */
const followingVerbs = words('go goes live lives')
const joining = words('and or')

/** Maps each word of a line to the line's first word, in the same form. */
type Forms = ReadonlyMap<string, string>
const formsBy = (table: string, form: (word: string) => string): Forms =>
  new Map(rows(table).flatMap(([first = '', ...others]) => others.map((word) => [form(word), form(first)] as const)))

const bases = formsBy(verbs, String)
const presents: Forms = new Map([...formsBy(verbs, withS), ...formsBy(foreignVerbs, String)])
const pasts = formsBy(verbs, pastOf)
const nounForms: Forms = new Map([...formsBy(nouns, String), ...formsBy(nouns, withS)])

/** The canonical synonym of the word at `at`, in the same form; undefined where no synonym may replace it. */
export function findCanonicalSynonym(sentence: readonly Written[], at: number): string | undefined {
  const word = sentence[at] as Written
  if (word.isMerged === true || (/\p{Lu}/u.test(word.text) && !(word.beginsSentence && at === 0))) return undefined
  const { lower } = word
  const spelled = spell(lower)
  const form =
    pasts.has(lower) || spelled.endsWith('ed') ? 'past' : presents.has(lower) || spelled.endsWith('s') ? 's' : 'base'
  const known = { past: pasts, s: presents, base: bases }[form].get(lower)
  if (isMainVerb(sentence, at, form)) return known ?? spelled
  return isPlainNoun(sentence, at) ? (nounForms.get(lower) ?? spelled) : undefined
}

/** Follows its subject, has an object or an adverbial, and is the only verb: "Tom purchased a bike", "Requests require a key". */
function isMainVerb(sentence: readonly Written[], at: number, form: 'past' | 's' | 'base'): boolean {
  const [subject, verb, next] = [sentence[at - 1], sentence[at] as Written, sentence[at + 1]]
  if (subject === undefined || next === undefined || subject.sign !== undefined || verb.sign !== undefined) return false
  if (verb.article !== undefined || sentence.some(({ text }) => grammar.has(text))) return false
  const isPronoun = subjects.has(subject.lower)
  if (!isPronoun && (isFunctionWord(subject.lower) || subject.lower === "'s")) return false
  const opensObject = next.article !== undefined || determiners.has(next.lower) || isNumber(next.lower)
  if (form === 'base') return opensObject && (isPronoun || /[^s]s$/.test(subject.lower))
  if (form === 'past' || opensObject) return opensObject
  return prepositions.has(next.lower)
    ? next.lower !== 'with'
    : !alsoNouns.has(verb.lower) && subject.article !== undefined
}

/** As in "the bug fixes folder". */
const alsoNouns = words('fixes repairs buys purchases permits starts needs')

/** Has its article or owner, and no other noun next to it that could share it: "the photo and film folder". */
function isPlainNoun(sentence: readonly Written[], at: number): boolean {
  const [noun, next] = [sentence[at] as Written, sentence[at + 1]]
  if (next !== undefined && (noun.sign !== undefined || !endsNoun(next.lower))) return false
  if (at === 0 && noun.article === undefined)
    return noun.lower.endsWith('s') && next !== undefined && /^(?:are|were)$/.test(next.lower)
  const first = adjectives.has(sentence[at - 1]?.lower ?? '') ? at - 1 : at
  const opener = sentence[first - 1]
  const isOwned = determiners.has(opener?.lower ?? '')
  if (sentence[first]?.article === undefined && !isOwned) return false
  const before = isOwned ? sentence[first - 2] : opener
  return before?.sign !== ':' && !values.has(before?.lower ?? '')
}

/** Any other word may be a name: "the app photo". */
const adjectives = words('new old big small young good first last next')

const endsNoun = (next: string) =>
  followingVerbs.has(next) ||
  (!joining.has(next) && (prepositions.has(next) || determiners.has(next) || grammar.has(next)))

const values = words('is are was were be = :')
