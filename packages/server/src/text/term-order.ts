import type { Term } from './claim-terms.ts'
import { isOwnable } from './noun-kinds.ts'
import { isNegation } from './negations.ts'
import { hasTerm, isPartial, isPlain, isSimple, isTerm, mayShareOut, ofTerm } from './plain-terms.ts'

/** The orders in which a sentence says the same. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** What a part begins with that may stand in front of a sentence or behind it. */
const adjunctOpeners = words(
  'on in at for during because-of thanks-to before after every each daily weekly monthly hourly nightly am im auf für als bei en à pour sur chaque para los',
)
/** And with a comma behind it. */
const clauseOpeners = words('if when to because since unless until while except')
/** "Check if the server is up" asks. */
const asking = words('check ask see know tell test decide verify wonder find learn say note remember')

export const opensAdjunct = ({ key }: Term): boolean => adjunctOpeners.has(key)
export const isAdjunct = ([first]: readonly Term[]): boolean => adjunctOpeners.has(first?.key ?? '')

const maxPart = 8

const pronouns = words('you we i they he she')

/** "The team meets on Fridays" of "On Fridays the team meets", and of "Am Freitag trifft sich das Team" with the verb anywhere. */
export function placesOf(sentence: readonly Term[]): Term[][] {
  const plain = withoutCommas(sentence)
  const opener = sentence[0]?.key ?? ''
  const isClause = clauseOpeners.has(opener)
  if (!isClause && !isAdjunct(sentence)) return [plain]
  const places = lengthsOf(sentence, isClause).flatMap((length) => {
    const [moved, rest] = [sentence.slice(0, length), sentence.slice(length)]
    if (!(isClause ? mayMoveClause(rest, moved.slice(1), opener) : mayMove(rest, moved))) return []
    const end = moved.map((term, at) => (at === length - 1 ? { ...term, sign: undefined } : term))
    return turnBack(rest).map((each) => withoutCommas([...each, ...end]))
  })
  return [plain, ...places]
}

/** Up to the comma; without one a part may end anywhere, and a clause before "you". */
function lengthsOf(sentence: readonly Term[], isClause: boolean): readonly number[] {
  const comma = sentence.findIndex(({ sign }) => sign === ',')
  if (comma > 0) return [comma + 1]
  if (isClause) return [sentence.findIndex(({ key }) => pronouns.has(key))].filter((at) => at > 1)
  return Array.from({ length: Math.min(maxPart, sentence.length - 2) }, (_, at) => at + 1)
}

/** "Each user rests on a day" tells of several days. */
const mayMove = (rest: readonly Term[], moved: readonly Term[]) =>
  !isAdjunct(rest) &&
  isSimple([...rest, ...moved]) &&
  !rest.some(isPartial) &&
  !mayShareOut([...rest, ...moved.filter((term) => !isPartial(term))])

/** Of two that are told to be done only one may be so "if the tests fail"; "check if the server is up" asks. */
const mayMoveClause = (rest: readonly Term[], clause: readonly Term[], opener: string) =>
  rest.length > 1 &&
  isSimple(clause) &&
  isPlain(rest.filter(({ key }) => !(opener === 'to' && (key === 'need' || key === 'and')))) &&
  !asking.has(rest.at(-1)?.text ?? '')

/** A comma before what may stand elsewhere tells nothing where nothing is denied. */
const withoutCommas = (terms: readonly Term[]): Term[] =>
  terms.some(({ text }) => isNegation(text))
    ? [...terms]
    : terms.map((term, at) => {
        const next = terms[at + 1]?.key ?? ''
        return term.sign === ',' && (adjunctOpeners.has(next) || clauseOpeners.has(next))
          ? { ...term, sign: undefined }
          : term
      })

/** Verbs that other languages put in front of the subject behind what was moved. */
const inverting = words(
  'ist sind war waren wird hat haben wohnt läuft laufen nutzt arbeitet arbeiten trifft gehört heißt gibt liegt beginnt endet ' +
    'está están tiene trabaja despliega empieza',
)

const turnBack = (terms: readonly Term[]): (readonly Term[])[] => {
  const [verb, ...others] = terms
  return verb === undefined || !inverting.has(verb.key)
    ? [terms]
    : [terms, ...others.map((_, at) => others.toSpliced(at + 1, 0, verb))]
}

/** "The owner of Orion is Ann" and "Ann is the owner of Orion", "Orion has a limit of 5" and "the limit of Orion is 5". */
export const turnsOf = (terms: readonly Term[]): Term[][] =>
  [turned(terms), withoutHas(terms), withoutThere(terms)].filter((each) => each !== undefined)

const nameParts = words('de van von der la le di da')

/** One side names or numbers, the other tells which one thing it is. */
function turned(terms: readonly Term[]): Term[] | undefined {
  const at = terms.findIndex(({ key }) => key === 'is' || key === 'was')
  const [left, right] = [terms.slice(0, at), terms.slice(at + 1)]
  const isNamed = right.every(({ isName, key }) => isName === true || nameParts.has(key))
  if (at < 1 || right.length === 0 || !isNamed || left[0]?.article !== 'the') return undefined
  if (terms.some(({ sign }) => sign !== undefined) || !isPlain(terms)) return undefined
  return [...right, terms[at] as Term, ...left]
}

function withoutHas(terms: readonly Term[]): Term[] | undefined {
  const [has, of] = ['has', 'of'].map((word) => terms.findIndex(({ key }) => key === word)) as [number, number]
  const thing = terms.slice(has + 1, of)
  if (has < 1 || thing.length === 0 || !isOwnable(thing.at(-1) as Term) || !isPlain(terms)) return undefined
  const [first, ...others] = thing as [Term, ...Term[]]
  return [{ ...first, article: 'the' }, ...others, ofTerm, ...terms.slice(0, has), isTerm, ...terms.slice(of + 1)]
}

/** "There is a bug in the parser" and "The parser has a bug". */
function withoutThere(terms: readonly Term[]): Term[] | undefined {
  const place = terms.findLastIndex(({ key }) => key === 'in')
  if (terms[0]?.key !== 'there' || !/^(?:is|are)$/.test(terms[1]?.key ?? '') || place < 3 || !isPlain(terms))
    return undefined
  return [...terms.slice(place + 1), hasTerm, ...terms.slice(2, place)]
}
