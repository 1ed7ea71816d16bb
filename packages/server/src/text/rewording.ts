import { termsOf, type Term } from './claim-terms.ts'
import { isNegation } from './negations.ts'
import { wordKey } from './opposites.ts'
import { keyOf, participleOf } from './word-forms.ts'

/**
 * Whether a text says what another says, in words that stand for the same and in an order that tells the same. Each rule is
 * proof: every term of the one has its place in the other. Words in common and vectors prove nothing, as a digit, a "not" or who
 * does what to whom changes them least. Linear in the texts.
 */
export function isRewording(one: string, other: string): boolean {
  const [a, b] = [termsOf(one), termsOf(other)]
  if (a.length !== b.length) return isJoined(a, b) || isJoined(b, a)
  return a.length > 0 && a.every((sentence, at) => isSameSentence(sentence, b[at] ?? []))
}

/** "Ann rests. Bob works." and "Ann rests and Bob works": where nothing may belong to both of the two, or to one alone. */
function isJoined(
  [first = [], second = [], ...more]: readonly Term[][],
  [whole = [], ...others]: readonly Term[][],
): boolean {
  if (second.length === 0 || more.length + others.length > 0 || !isPlain(first) || isAdjunct(first)) return false
  const known = new Set(first.map(({ key }) => key))
  const isOwn = second.every(({ text, key }) => !isEmbedding(text) && (!adjunctOpeners.has(key) || known.has(key)))
  return (
    isOwn && whole[first.length]?.key === 'and' && isSameList([...first, ...second], whole.toSpliced(first.length, 1))
  )
}

const isSameSentence = (a: readonly Term[], b: readonly Term[]): boolean =>
  isSameList(a, b) ||
  isSameList(withOf(a), withOf(b)) ||
  [a, b].some((one) => {
    const other = one === a ? b : a
    return isFronted(one, other) || isTurned(withOf(one), withOf(other)) || isActive(one, other)
  })

const isSameTerm = (a: Term, b: Term): boolean => isSameWord(a, b) && a.sign === b.sign

const isSameWord = (a: Term, b: Term): boolean =>
  a.key === b.key && agrees(a.isName, b.isName) && agrees(a.article, b.article)

const agrees = <T>(a: T | undefined, b: T | undefined) => a === undefined || b === undefined || a === b

const isSameList = (a: readonly Term[], b: readonly Term[], isSame = isSameTerm): boolean =>
  a.length === b.length && a.every((term, at) => isSame(term, b[at] as Term))

/** Where one of these stands, or a denial, what a part of the sentence belongs to changes with its place; verbs in all regular forms. */
const embedding = new Set(
  (
    'to and or but if when while until unless since because that which who whom what where how whether ? ' +
    'say said tell told think thought know knew believe hope fear expect decide agree promise ask see saw hear heard watch let make made ' +
    'want wish like love hate prefer enjoy need plan schedule book reserve intend try propose suggest recommend consider announce ' +
    'mention claim describe explain remember forget forgot mean meant avoid miss dislike start stop help'
  )
    .split(' ')
    .map(wordKey),
)
const isEmbedding = (text: string) => embedding.has(wordKey(text))
const universal = new Set(['all', 'every', 'each'])
const partial = new Set('any some no few many most both only one'.split(' '))
const isSimple = (terms: readonly Term[]) => terms.every(({ text }) => !isEmbedding(text) && !isNegation(text))
const isPlain = (terms: readonly Term[]) =>
  isSimple(terms) && terms.every(({ text }) => !partial.has(text) && !universal.has(text))

/** What a part begins with that may stand in front of a sentence or behind it. */
const adjunctOpeners = new Set(
  'on in at for during because-of before after every each daily weekly monthly hourly nightly am im auf für als bei en à pour sur chaque para los'.split(
    ' ',
  ),
)

const isAdjunct = ([first]: readonly Term[]) => adjunctOpeners.has(first?.key ?? '')

/** Longer sentences are lists or logs, in which nothing is moved. */
const maxMovedTerms = 40

/** "The team meets on Fridays" and "On Fridays the team meets", the verb in between as other languages want it. */
function isFronted(plain: readonly Term[], fronted: readonly Term[]): boolean {
  if (plain.length !== fronted.length || plain.length > maxMovedTerms || !isAdjunct(fronted)) return false
  for (let at = 1; at < plain.length; at++) {
    const [rest, moved] = [plain.slice(0, at), plain.slice(at)]
    const others = fronted.slice(moved.length)
    if (!isSameList(moved, fronted.slice(0, moved.length), isSameWord) || !mayMove(rest, moved)) continue
    if (isSameList(rest, others) || isInverted(rest, others)) return true
  }
  return false
}

/** "Each user rests on a day" tells of several days. */
const mayMove = (rest: readonly Term[], moved: readonly Term[]) =>
  !isAdjunct(rest) &&
  isSimple([...rest, ...moved]) &&
  rest.every(({ text }) => !partial.has(text)) &&
  !(rest.some(({ text }) => universal.has(text)) && moved.some(({ article }) => article === 'a'))

/** Verbs that other languages put in front of the subject then. */
const inverting = new Set(
  (
    'ist sind war waren wird hat haben wohnt läuft laufen nutzt arbeitet arbeiten trifft gehört heißt gibt liegt beginnt endet ' +
    'está están tiene trabaja despliega empieza'
  ).split(' '),
)

function isInverted(plain: readonly Term[], [verb, ...others]: readonly Term[]): boolean {
  const at = verb === undefined || !inverting.has(verb.key) ? -1 : plain.findIndex((term) => isSameTerm(term, verb))
  return at > 0 && isSameList(plain.toSpliced(at, 1), others)
}

/** "The owner of Orion is Ann" and "Ann is the owner of Orion": one side names or numbers, the other tells which one thing it is. */
function isTurned(a: readonly Term[], b: readonly Term[]): boolean {
  const at = a.findIndex(({ key }) => key === 'is' || key === 'was')
  if (at < 1 || a.length !== b.length || a.some(({ sign }) => sign !== undefined) || !isPlain(a)) return false
  const [left, right] = [a.slice(0, at), a.slice(at + 1)]
  const turnedLeft = b.slice(right.length + 1)
  const isOne = left[0]?.article === 'the' && turnedLeft[0]?.article === 'the'
  return (
    isOne &&
    right.length > 0 &&
    right.every(({ isName }) => isName === true) &&
    isSameList([...right, a[at] as Term, ...left], b)
  )
}

/** Of these a thing has one, and "of" tells whose: "Ann's picture" may be of Bob. */
const owned = new Set(
  'owner manager boss name password address birthday mother father parent wife husband son daughter brother sister'.split(
    ' ',
  ),
)

/** "Ivan's manager is …" as "The manager of Ivan is …". */
function withOf(terms: readonly Term[]): readonly Term[] {
  const at = terms.findIndex(({ key }) => key === "'s")
  const [thing, verb] = [terms[at + 1], terms[at + 2]]
  if (at < 1 || thing === undefined || !owned.has(thing.text) || !copulas.has(verb?.key ?? '')) return terms
  const of: Term = { key: 'of', text: 'of', isName: false, article: undefined, sign: undefined }
  return [{ ...thing, article: 'the' }, of, ...terms.slice(0, at), ...terms.slice(at + 2)]
}

const copulas = new Set(['is', 'are', 'was', 'were'])

/** "CI builds the image" and "The image is built by CI". */
function isActive(active: readonly Term[], passive: readonly Term[]): boolean {
  const by = passive.findIndex(({ key }) => key === 'by')
  const [be, participle] = [passive[by - 2], passive[by - 1]]
  if (by < 3 || passive.length !== active.length + 2 || passive.length > maxMovedTerms) return false
  if (!copulas.has(be?.key ?? '') || !isPlain(passive)) return false
  const done = passive.slice(0, by - 2)
  for (let length = 1; by + length < passive.length + 1; length++) {
    const doer = passive.slice(by + 1, by + 1 + length)
    const verb = active[length] as Term
    const others = [...doer, verb, ...done, ...passive.slice(by + 1 + length)]
    if (isDoing(verb, participle as Term, be?.key.startsWith('w') === true) && isSameList(others, active)) return true
  }
  return false
}

const isDoing = (verb: Term, participle: Term, isPast: boolean) =>
  isPast
    ? verb.key === participle.key.replace(' participle', ' past') && /ed$|past$/.test(verb.key)
    : keyOf(participleOf(verb.text)) === participle.key
