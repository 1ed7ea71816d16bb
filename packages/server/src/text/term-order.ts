import type { Term } from './claim-terms.ts'
import { isNegation } from './negations.ts'
import { isPartial, isPlain, isSimple, mayShareOut } from './plain-terms.ts'

/** The orders in which a sentence says the same. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** What a part begins with that may stand in front of a sentence or behind it. */
const adjunctOpeners = words(
  'on in at for during because-of before after every each am im auf für als bei en à pour sur chaque para los',
)
/** And with a comma behind it. */
const clauseOpeners = words('if when')
/** "Check if the server is up" asks, and "the time when it fails" is no time at which something is done. */
const asking = words(
  'check ask see know tell test decide verify wonder find learn say note time day date hour moment year',
)

export const opensAdjunct = ({ key }: Term): boolean => adjunctOpeners.has(key)
export const isAdjunct = ([first]: readonly Term[]): boolean => adjunctOpeners.has(first?.key ?? '')

const maxPart = 8

/** "The team meets on Fridays" of "On Fridays the team meets", and of "Am Freitag trifft sich das Team" with the verb anywhere. */
export function placesOf(sentence: readonly Term[]): Term[][] {
  const isClause = clauseOpeners.has(sentence[0]?.key ?? '')
  if (!isClause && !isAdjunct(sentence)) return [[...sentence]]
  const places = lengthsOf(sentence, isClause).flatMap((length) => {
    const [moved, rest] = [sentence.slice(0, length), sentence.slice(length)]
    if (!(isClause ? mayMoveClause(rest, moved.slice(1)) : mayMove(rest, moved))) return []
    const end = moved.map((term, at) => (at === length - 1 ? { ...term, sign: undefined } : term))
    return turnBack(rest).map((each) => [...each, ...end])
  })
  return [[...sentence], ...places]
}

/** Up to the comma; without one a part may end anywhere, and a clause nowhere. */
function lengthsOf(sentence: readonly Term[], isClause: boolean): readonly number[] {
  const comma = sentence.findIndex(({ sign }) => sign === ',')
  if (comma > 0) return [comma + 1]
  return isClause ? [] : Array.from({ length: Math.min(maxPart, sentence.length - 2) }, (_, at) => at + 1)
}

/** "On Fridays" is of all that is denied. */
const isDay = (moved: readonly Term[]) =>
  moved.length === 2 && moved[0]?.key === 'on' && /days?$/.test(moved[1]?.key ?? '')

const mayMove = (rest: readonly Term[], moved: readonly Term[]) =>
  !isAdjunct(rest) &&
  isSimple([...(isDay(moved) ? rest.filter(({ text }) => !isNegation(text)) : rest), ...moved]) &&
  !rest.some(isPartial) &&
  !mayShareOut([...rest, ...moved])

/** Of two that are told to be done only one may be so "if the tests fail"; "check if the server is up" asks. */
const mayMoveClause = (rest: readonly Term[], clause: readonly Term[]) =>
  rest.length > 1 && isSimple(clause) && isPlain(rest) && !asking.has(rest.at(-1)?.text ?? '')

/** Verbs that other languages put in front of the subject behind what was moved. */
const inverting = words(
  'ist sind war waren wird hat haben wohnt läuft laufen nutzt arbeitet arbeiten trifft gehört heißt liegt beginnt endet ' +
    'está están tiene trabaja despliega empieza',
)

const turnBack = (terms: readonly Term[]): (readonly Term[])[] => {
  const [verb, ...others] = terms
  return verb === undefined || !inverting.has(verb.key)
    ? [terms]
    : [terms, ...others.map((_, at) => others.toSpliced(at + 1, 0, verb))]
}

/** "Orion's owner is Ann" of "The owner of Orion is Ann", "Ann is the owner of Orion" of the same. */
export const turnsOf = (terms: readonly Term[]): Term[][] =>
  [turned(terms), possessed(terms), uncleft(terms)].filter((each) => each !== undefined)

/** One side names or numbers, the other tells which one thing it is. */
function turned(terms: readonly Term[]): Term[] | undefined {
  const at = terms.findIndex(({ key }) => key === 'is' || key === 'was')
  const [left, right] = [terms.slice(0, at), terms.slice(at + 1)]
  if (at < 1 || right.length === 0 || !right.every(({ isName }) => isName === true) || left[0]?.article !== 'the')
    return undefined
  if (terms.some(({ sign }) => sign !== undefined) || !isPlain(terms.filter(({ key }) => key !== 'that')))
    return undefined
  return [...right, terms[at] as Term, ...left]
}

/** "The service uses Redis" of "Redis is what the service uses". */
function uncleft(terms: readonly Term[]): Term[] | undefined {
  const what = terms.findIndex(({ key }) => key === 'what')
  const [thing, said] = [terms.slice(0, what - 1), terms.slice(what + 1)]
  if (what < 2 || terms[what - 1]?.key !== 'is' || said.length < 2 || !isPlain([...thing, ...said])) return undefined
  return [...said, ...thing]
}

/** What is somebody's or something's alone: "Ann's picture" may be of Bob. */
const owned = words(
  'owner manager boss name password address birthday mother father parent wife husband son daughter brother sister uncle aunt ' +
    'friend colleague doctor lawyer dog cat car house office phone laptop account company job age salary ' +
    'budget quota limit size color version port deadline timeout status title price capacity license maintainer',
)
const binding = words("is are was were has had 's of for from in on at with without and or to that who which than")

function possessed([thing, of, ...others]: readonly Term[]): Term[] | undefined {
  const end = others.findIndex(({ key }) => binding.has(key))
  if (thing === undefined || of?.key !== 'of' || end < 1 || !owned.has(thing.text) || thing.article === 'a')
    return undefined
  const [owner, rest] = [others.slice(0, end), others.slice(end)]
  if (!/^(?:is|are|was|were|has)$/.test(rest[0]?.key ?? '') || owner.some(({ sign }) => sign !== undefined))
    return undefined
  return [...owner, { ...of, key: "'s", text: "'s" }, { ...thing, article: undefined, isName: false }, ...rest]
}
