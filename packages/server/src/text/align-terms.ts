import { noteCopula, type Term } from './claim-terms.ts'
import { hasSameArticle, isSameTerm, isSameWord } from './plain-terms.ts'
import { attributes, events, holders, isOwnable } from './noun-kinds.ts'
import { wordKey } from './opposites.ts'
import { singular } from './word-forms.ts'

/**
 * Whether two sentences hold the same terms in the same places, where a thing and what it is of may change theirs: "the budget of
 * the pilot", "the pilot's budget"; "chunks of 8 MB", "8 MB chunks"; "Ann and Bob", "Bob and Ann". Each step forward is bounded.
 */
export function isAligned(a: readonly Term[], b: readonly Term[]): boolean {
  let [at, other] = [0, 0]
  const number: Agreement = { many: undefined, noun: 0, verb: 0 }
  while (at < a.length && other < b.length) {
    const [one, two] = [a[at] as Term, b[other] as Term]
    const isSame =
      isSameTerm(one, two) || (number.many === undefined ? opensEach(number, one, two) : agrees(number, one, two))
    const [mine, yours] = isSame ? [1, 1] : (stepOn(a, at, b, other) ?? reversed(stepOn(b, other, a, at)))
    if (mine === 0) return false
    at += mine
    other += yours
  }
  return at === a.length && other === b.length
}

/** "All services log to stdout" and "Every service logs to stdout": one noun and one verb differ so. */
interface Agreement {
  /** Which of the two has "all". */
  many: 'one' | 'two' | undefined
  noun: number
  verb: number
}

function opensEach(number: Agreement, one: Term, two: Term): boolean {
  if (one.key === 'all' && two.key === 'every') number.many = 'one'
  else if (one.key === 'every' && two.key === 'all') number.many = 'two'
  return number.many !== undefined
}

function agrees(number: Agreement, one: Term, two: Term): boolean {
  const [many, single] = number.many === 'one' ? [one, two] : [two, one]
  if (many.sign !== single.sign || many.article !== undefined || single.article !== undefined) return false
  if (singular(many.text) === single.text) return number.noun++ === 0
  return (
    (verbsOfMany.get(many.text) ?? many.text) === (verbsOfMany.has(many.text) ? single.text : singular(single.text)) &&
    number.verb++ === 0
  )
}

const verbsOfMany = new Map([
  ['are', 'is'],
  ['were', 'was'],
  ['have', 'has'],
  ['do', 'does'],
])

const stepOn = (a: readonly Term[], at: number, b: readonly Term[], other: number): Step | undefined =>
  copulaAt(a, at, b, other) ?? doingAt(a, at, b, other) ?? turnedAt(a, at, b, other)

/** How many terms of each say the same. */
type Step = readonly [mine: number, yours: number]
const none: Step = [0, 0]
const reversed = ([mine, yours]: Step = none): Step => [yours, mine]

/** "Retention: 90 days" and "Retention is 90 days". */
function copulaAt(a: readonly Term[], at: number, b: readonly Term[], other: number): Step | undefined {
  if (a[at]?.key !== noteCopula || !/^(?:is|are)$/.test(b[other]?.key ?? '')) return undefined
  return [1, /^(?:named|called)$/.test(b[other + 1]?.key ?? '') ? 2 : 1]
}

/** "The migration of the index" and "migrating the index". */
function doingAt(a: readonly Term[], at: number, b: readonly Term[], other: number): Step | undefined {
  const [done, of, doing] = [a[at]?.text ?? '', a[at + 1]?.key, b[other]?.text ?? '']
  const isSame = of === 'of' && done.endsWith('ion') && doing.endsWith('ing') && wordKey(done) === wordKey(doing)
  return isSame ? [2, 1] : undefined
}

const links = new Set(['named', 'of', 'for', 'in', 'on', 'at', 'and', 'or'])
/** What stands behind would belong to another word then. */
const belonging = new Set([
  "'s",
  'of',
  'for',
  'from',
  'in',
  'on',
  'at',
  'with',
  'without',
  'and',
  'or',
  'to',
  'that',
  'who',
  'which',
  'than',
])
const binding = new Set(["'s", 'of', 'and', 'or', 'that', 'who', 'which', 'than'])
const grammar = new Set(
  'is are was were be been will would can could may might must shall should has have had do does did not'.split(' '),
)
const maxPart = 6

/** "left link right" of `a` where `b` has "right left", "right 's left", or "right link left" in a list. */
function turnedAt(a: readonly Term[], at: number, b: readonly Term[], other: number): Step | undefined {
  const link = a.findIndex(({ key }, place) => place > at && place <= at + maxPart && links.has(key))
  if (link < 0 || !isSameWord(a[link + 1], b[other])) return undefined
  const left = a.slice(at, link)
  for (let length = 1; length <= maxPart; length++) {
    const right = a.slice(link + 1, link + 1 + length)
    const [last, yours] = [right.at(-1), b[other + length - 1]]
    if (right.length < length || (length > 1 && !isSameWord(a[link + length - 1], b[other + length - 2])))
      return undefined
    const turn = {
      left,
      link: a[link] as Term,
      right,
      between: b[other + length],
      theirRight: b.slice(other, other + length),
    }
    const isInflected = turn.link.key !== 'and' && isSameInSingular(last, yours, right[0])
    if (!isSameWord(last, yours) && !isInflected) continue
    const step = stepOver(turn, a, at, b, other, isSameWord(last, yours))
    if (step !== undefined) return step
  }
  return undefined
}

/** "For logs" in general, where a compound has "log". */
const isSameInSingular = (a: Term | undefined, b: Term | undefined, first: Term | undefined) =>
  a !== undefined && b !== undefined && first?.article === undefined && singular(a.key) === b.key && a.isName !== true

interface Turn {
  left: readonly Term[]
  link: Term
  right: readonly Term[]
  /** What `b` has behind its own right part. */
  between: Term | undefined
  theirRight: readonly Term[]
}

function stepOver(
  turn: Turn,
  a: readonly Term[],
  at: number,
  b: readonly Term[],
  other: number,
  isExact: boolean,
): Step | undefined {
  const { left, link, right, between } = turn
  if (link.key === 'named') return beside(turn, a, at, b, other)
  const isList = link.key === 'and' || link.key === 'or'
  const isLinked = isList ? between?.key === link.key : between?.key === "'s"
  const place = other + right.length + (isLinked ? 1 : 0)
  const theirs = b.slice(place, place + left.length)
  const end = at + left.length + 1 + right.length
  const isSame = theirs.length === left.length && left.every((term, index) => isSameWord(term, theirs[index]))
  if (!isSame || isBroken([...left.slice(0, -1), ...right.slice(0, -1), link]) || (isList && !isLinked))
    return undefined
  if (right.at(-1)?.sign !== theirs.at(-1)?.sign || left.at(-1)?.sign !== undefined) return undefined
  const next = a[end]
  if (next !== undefined && (next.isName === true || belongs(next, isList, at))) return undefined
  const mayTurn = isList
    ? isListOfNames(turn, a, at)
    : isLinked
      ? isExact && isOwned(turn, theirs, at === 0)
      : isCompound(turn, a, at)
  return mayTurn ? [end - at, place + left.length - other] : undefined
}

/** "A beagle named Biscuit" and "Biscuit, a beagle". */
function beside(
  { left, right }: Turn,
  a: readonly Term[],
  at: number,
  b: readonly Term[],
  other: number,
): Step | undefined {
  const [place, end] = [other + right.length, at + left.length + 1 + right.length]
  const theirs = b.slice(place, place + left.length)
  const isSame =
    b[place - 1]?.sign === ',' &&
    left[0]?.article === 'a' &&
    left[0].article === theirs[0]?.article &&
    left.every((term, index) => isSameWord(term, theirs[index])) &&
    isWithoutGrammar(left) &&
    end === a.length &&
    place + left.length === b.length
  return isSame ? [end - at, place + left.length - other] : undefined
}

const isBroken = (terms: readonly Term[]) => terms.some(({ sign }) => sign !== undefined)
/** A list ends where its sentence does, or a verb of grammar follows: "likes Bob and Carl hates Dan". */
const belongs = ({ key }: Term, isList: boolean, at: number) =>
  isList && at > 0 ? key !== 'to' && !grammar.has(key) : (isList ? belonging : binding).has(key)

/** Of these the order tells. */
const ordering = new Set(
  'ratio difference quotient order sequence between first then versus vs over respectively rank ranked before'.split(
    ' ',
  ),
)

/** Verbs are not for turning: "build and test". */
const isListOfNames = ({ left, right }: Turn, a: readonly Term[], at: number) =>
  (at === 0 || a[at - 1]?.isName === false) &&
  !a.some(({ text }) => ordering.has(text)) &&
  [left, right].every(([first]) => first !== undefined && (first.isName === true || first.article !== undefined)) &&
  isWithoutGrammar([...left, ...right])

/** "The antenna on the station" is the station's; what is in Rome need not be Rome's. */
const isLinkOf = (link: string, head: Term, isNamed: boolean) =>
  link === 'of'
    ? isOwnable(head)
    : link === 'for'
      ? attributes.has(head.text) || attributes.has(head.key)
      : !isNamed && head.article !== 'a' && !events.has(head.text)

const days = /day$|^\d{0,4}-\d\d-\d\d$/

function isOwned({ left, link, right, theirRight }: Turn, theirs: readonly Term[], isFirst: boolean): boolean {
  const isNamed = right.some(({ isName }) => isName !== false)
  const head = left.at(-1) as Term
  if (events.has(head.text) && link.key === 'on' && right.length === 1) return isFirst && days.test(right[0]?.key ?? '')
  return (
    isLinkOf(link.key, head, isNamed) &&
    left[0]?.article !== 'a' &&
    theirs[0]?.article !== 'a' &&
    hasSameArticle(right[0], theirRight[0]) &&
    isWithoutGrammar(right)
  )
}

function isCompound({ left, link, right, theirRight }: Turn, a: readonly Term[], at: number): boolean {
  const head = left.at(-1)
  const isPlace = right[0]?.isName === true && !/\d/.test(right[0].key)
  return (
    head !== undefined &&
    !holders.has(singular(head.text)) &&
    (link.key === 'of' || (at === 0 && a.length > left.length + 1 + right.length && (link.key === 'for' || isPlace))) &&
    isNominal(left) &&
    isWithoutGrammar(right) &&
    hasSameArticle(left[0], theirRight[0])
  )
}

/** No verb among them: "the suite runs on Linux" is not "the Linux suite runs". One word alone is a noun where its place may change. */
const isNominal = (terms: readonly Term[]) =>
  isWithoutGrammar(terms) &&
  (terms.length === 1 ||
    terms.every(
      ({ text, isName }, place) => isName === true || !(singular(text) !== text || (place > 0 && text.endsWith('ed'))),
    )) &&
  !terms.some(({ key }, place) => place > 0 && key.endsWith(' past'))

const isWithoutGrammar = (terms: readonly Term[]) =>
  terms.every(({ key, text }) => !grammar.has(key) && !belonging.has(key) && !baseVerbs.has(text))

/** Verbs in their base form, and what they stand behind without a sign of the plural. */
const baseVerbs = new Set(
  'people police staff crew work live run stay sit stand sleep meet eat go come fail pass begin speak play move grow'.split(
    ' ',
  ),
)
