import type { Term } from './claim-terms.ts'
import { isNegation, wordKey } from './polarity.ts'
import { participleOf } from './word-forms.ts'

/** The orders in which a sentence says the same. A part may move only if it can't belong to anything else in the sentence. */

/** With one of these words or a negation, moving a part changes what it belongs to. Verbs match in all regular forms. */
const embedding = new Set(
  (
    'to and or but if when while until unless since because that which who whom what where how whether ? ' +
    'say said tell told think thought know knew believe hope fear expect decide agree promise ask see saw hear heard watch let make made ' +
    'want wish like love hate prefer enjoy need plan schedule book reserve intend try propose suggest recommend consider announce ' +
    'mention claim describe explain remember forget forgot mean meant avoid miss dislike start stop help ' +
    'move cancel reschedule postpone order request invite offer'
  )
    .split(' ')
    .map(wordKey),
)
const universal = new Set(['all', 'every', 'each'])
const partial = new Set('any some no few many most both only one'.split(' '))

export const isEmbedding = ({ text }: Term): boolean => embedding.has(wordKey(text))
const isUniversal = ({ text }: Term) => universal.has(text)
const isPartial = ({ text }: Term): boolean => partial.has(text)

const isSimple = (terms: readonly Term[]): boolean => !terms.some((term) => isEmbedding(term) || isNegation(term.text))
export const isPlain = (terms: readonly Term[]): boolean =>
  isSimple(terms) && !terms.some((term) => isPartial(term) || isUniversal(term))

/** Whether the sentence may mean one thing for each: "Each user rests on a day" is about several days. */
const isDistributive = (terms: readonly Term[]): boolean =>
  terms.some(isPartial) || (terms.some(isUniversal) && terms.some(({ article }) => article === 'a'))

const agrees = <T>(a: T | undefined, b: T | undefined) => a === undefined || b === undefined || a === b

const isSameTerm = (a: Term, b: Term | undefined): boolean =>
  b !== undefined && a.key === b.key && agrees(a.isName, b.isName) && agrees(a.article, b.article) && a.sign === b.sign

export const isSameList = (a: readonly Term[], b: readonly Term[]): boolean =>
  a.length === b.length && a.every((term, at) => isSameTerm(term, b[at]))

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Words that begin a part which may come first or last in a sentence. */
const adjunctOpeners = words(
  'on in at for during because-of before after every each am im auf für als bei en à pour sur chaque para los',
)
/** The same for clauses, which need a comma. */
const clauseOpeners = words('if when')
/** After these, a clause is not a condition: "Check if the server is up", "the time when it fails". */
const asking = words(
  'check ask see know tell test decide verify wonder find learn say note time day date hour moment year',
)

export const opensAdjunct = ({ key }: Term): boolean => adjunctOpeners.has(key)
export const isAdjunct = ([first]: readonly Term[]): boolean => adjunctOpeners.has(first?.key ?? '')

const maxPart = 8

/**
 * Turns "On Fridays the team meets" into "The team meets on Fridays". Of "Am Freitag trifft sich das Team", returns one
 * form for each place of the verb.
 */
export function placesOf(sentence: readonly Term[]): Term[][] {
  const isClause = clauseOpeners.has(sentence[0]?.key ?? '')
  if (!isClause && !isAdjunct(sentence)) return [[...sentence]]
  const places = lengthsOf(sentence, isClause).flatMap((length) => {
    const [moved, rest] = [sentence.slice(0, length), sentence.slice(length)]
    if (!(isClause ? mayMoveClause(rest, moved.slice(1)) : mayMove(rest, moved))) return []
    const end = moved.map((term, at) => (at === length - 1 ? { ...term, sign: undefined } : term))
    return restoreVerbOrders(rest).map((each) => [...each, ...end])
  })
  return [[...sentence], ...places]
}

/** The part ends at the comma. Without a comma a part may end anywhere, and a clause can't be moved. */
function lengthsOf(sentence: readonly Term[], isClause: boolean): readonly number[] {
  const comma = sentence.findIndex(({ sign }) => sign === ',')
  if (comma > 0) return [comma + 1]
  return isClause ? [] : Array.from({ length: Math.min(maxPart, sentence.length - 2) }, (_, at) => at + 1)
}

/** "On Fridays" may move although the sentence has a negation. */
const isDay = (moved: readonly Term[]) =>
  moved.length === 2 && moved[0]?.key === 'on' && /days?$/.test(moved[1]?.key ?? '')

const mayMove = (rest: readonly Term[], moved: readonly Term[]) =>
  !isAdjunct(rest) &&
  isSimple([...(isDay(moved) ? rest.filter(({ text }) => !isNegation(text)) : rest), ...moved]) &&
  !rest.some(isPartial) &&
  !isDistributive([...rest, ...moved])

/** If there are two actions, "if the tests fail" may belong to one of them. "Check if the server is up" is not a condition. */
const mayMoveClause = (rest: readonly Term[], clause: readonly Term[]) =>
  rest.length > 1 && isSimple(clause) && isPlain(rest) && !asking.has(rest.at(-1)?.text ?? '')

/** Verbs that other languages put before the subject when a part was moved to the front. */
const inverting = words(
  'ist sind war waren wird hat haben wohnt läuft laufen nutzt arbeitet arbeiten trifft gehört heißt liegt beginnt endet ' +
    'está están tiene trabaja despliega empieza',
)

const restoreVerbOrders = (terms: readonly Term[]): (readonly Term[])[] => {
  const [verb, ...others] = terms
  return verb === undefined || !inverting.has(verb.key)
    ? [terms]
    : [terms, ...others.map((_, at) => others.toSpliced(at + 1, 0, verb))]
}

/** Turns "The owner of Orion is Ann" into "Ann is the owner of Orion" and "Orion's owner is Ann". */
export const listInversions = (terms: readonly Term[]): Term[][] =>
  [invert(terms), toPossessive(terms), uncleft(terms)].filter((each) => each !== undefined)

/** Turns "X is the Y" around, if one side is a name or number and the other identifies exactly one thing. */
function invert(terms: readonly Term[]): Term[] | undefined {
  const at = terms.findIndex(({ key }) => key === 'is' || key === 'was')
  const [left, right] = [terms.slice(0, at), terms.slice(at + 1)]
  if (at < 1 || right.length === 0 || !right.every(({ isName }) => isName === true) || left[0]?.article !== 'the')
    return undefined
  if (terms.some(({ sign }) => sign !== undefined) || !isPlain(terms.filter(({ key }) => key !== 'that')))
    return undefined
  return [...right, terms[at] as Term, ...left]
}

/** Turns "Redis is what the service uses" into "The service uses Redis". */
function uncleft(terms: readonly Term[]): Term[] | undefined {
  const what = terms.findIndex(({ key }) => key === 'what')
  const [thing, said] = [terms.slice(0, what - 1), terms.slice(what + 1)]
  if (what < 2 || terms[what - 1]?.key !== 'is' || said.length < 2 || !isPlain([...thing, ...said])) return undefined
  return [...said, ...thing]
}

/** Things for which "the owner of X" means "X's owner". "Ann's picture" may show Bob. */
const owned = words(
  'owner manager boss name password address birthday mother father parent wife husband son daughter brother sister uncle aunt ' +
    'friend colleague doctor lawyer dog cat car house office phone laptop account company job age salary ' +
    'budget quota limit size color version port deadline timeout status title price capacity license maintainer',
)
const binding = words("is are was were has had 's of for from in on at with without and or to that who which than")

function toPossessive([thing, of, ...others]: readonly Term[]): Term[] | undefined {
  const end = others.findIndex(({ key }) => binding.has(key))
  if (thing === undefined || of?.key !== 'of' || end < 1 || !owned.has(thing.text) || thing.article === 'a')
    return undefined
  const [owner, rest] = [others.slice(0, end), others.slice(end)]
  if (!/^(?:is|are|was|were|has)$/.test(rest[0]?.key ?? '') || owner.some(({ sign }) => sign !== undefined))
    return undefined
  return [...owner, { ...of, key: "'s", text: "'s" }, { ...thing, article: undefined, isName: false }, ...rest]
}

const tenses: ReadonlyMap<string, 'present' | 'past'> = new Map([
  ['is', 'present'],
  ['are', 'present'],
  ['was', 'past'],
  ['were', 'past'],
])
const linking = new Set(
  "of for from in on at with without than about as to by under over near into through after before during until 's".split(
    ' ',
  ),
)

/** Turns "The image is built by CI" into "CI builds the image". The verb has the form that it has in `active`. */
export function activeOf(terms: readonly Term[], active: readonly Term[]): Term[] | undefined {
  const [by, be] = [terms.findIndex(({ key }) => key === 'by'), terms.findIndex(({ key }) => tenses.has(key))]
  const [done, participle, between, doer] = [
    terms.slice(0, be),
    terms[be + 1],
    terms.slice(be + 2, by),
    terms.slice(by + 1),
  ]
  const [verb, tense] = [active[doer.length], tenses.get(terms[be]?.key ?? '')]
  if (tense === undefined || verb === undefined || be < 1 || by < be + 2) return undefined
  // "Seen by Bob with a telescope".
  if (doer.some(({ key }) => linking.has(key)) || participleOf(verb.text, tense) !== participle?.text) return undefined
  // "Every file is owned by a user".
  const said = terms.filter(({ key }) => key !== 'to')
  return isSimple(said) && !isDistributive(said) ? [...doer, verb, ...done, ...between] : undefined
}
