import { termsOf, type Term } from './claim-terms.ts'
import { isLimit, sidesOf } from './opposites.ts'
import { isNegation } from './negations.ts'

/**
 * Whether a text says what an older one says, in words that stand for the same and in an order that tells the same. Each
 * rule is proof: every term of the one has its place in the other. Words in common and vectors prove nothing, as a digit, a
 * "not" or who does what to whom changes them least.
 */

/**
 * The share of terms in common where the newer text says nothing else than the older one, and the older one at most how
 * something is done ("quietly"); undefined where that is not certain. Linear in the texts.
 */
export function shareOfRewording(older: string, newer: string): number | undefined {
  const [a, b] = [termsOf(older), termsOf(newer)]
  if (a.length === 0 || b.length === 0) return undefined
  if (a.length === b.length) {
    const shares = a.map((sentence, at) => shareOfSentence(sentence, b[at] ?? []))
    if (shares.every((share) => share !== undefined)) return mean(shares, a)
  }
  return a.length !== b.length && isSameList(joined(a), joined(b)) ? 1 : undefined
}

/** Over all terms: a long sentence counts for more. */
function mean(shares: readonly number[], sentences: readonly Term[][]): number {
  let [sum, count] = [0, 0]
  for (const [at, sentence] of sentences.entries()) {
    sum += (shares[at] ?? 0) * sentence.length
    count += sentence.length
  }
  return sum / count
}

function shareOfSentence(a: readonly Term[], b: readonly Term[]): number | undefined {
  if (isSameList(a, b) || isMoved(a, b)) return 1
  const [ofA, ofB] = [withOf(a), withOf(b)]
  const [activeA, activeB] = [activeOf(ofA), activeOf(ofB)]
  if (isSameList(activeA, activeB) || isMoved(activeA, activeB) || isTurned(ofA, ofB)) return 1
  return shareWithoutManner(a, b)
}

const isSameTerm = (a: Term, b: Term): boolean =>
  (a.key === b.key && (a.isPlural === b.isPlural || !(a.isPlural ? b : a).isOne)) ||
  (a.key === '' && a.bases.includes(b.key)) ||
  (b.key === '' && b.bases.includes(a.key))

const isSameList = (a: readonly Term[], b: readonly Term[]): boolean =>
  a.length === b.length && a.every((term, at) => isSameTerm(term, b[at] as Term))

/** What a part begins with that may stand in front of a sentence or behind it. */
const adjunctOpeners = new Set(
  (
    'on in at for from to with without by before after during until since when while if unless because due as via per within across ' +
    'every each last next today tomorrow yesterday daily weekly monthly hourly nightly instead ' +
    'am im auf für mit als bei nach vor seit zur zum en à au aux pour avec dans sur chaque depuis con para desde cada los'
  ).split(' '),
)

/** Longer sentences are lists or logs, in which nothing is moved. */
const maxMovedTerms = 60

/** "On Fridays we rest" and "We rest on Fridays", the verb in between as other languages want it. */
const isMoved = (a: readonly Term[], b: readonly Term[]): boolean =>
  a.length === b.length && a.length <= maxMovedTerms && (isFronted(a, b) || isFronted(b, a))

function isFronted(plain: readonly Term[], fronted: readonly Term[]): boolean {
  if (!adjunctOpeners.has(fronted[0]?.key ?? '')) return false
  for (let at = 1; at < plain.length; at++) {
    if (!isSameTerm(plain[at] as Term, fronted[0] as Term)) continue
    const [moved, rest] = [plain.slice(at), plain.slice(0, at)]
    if (!isSameList(moved, fronted.slice(0, moved.length))) continue
    const others = fronted.slice(moved.length)
    if (isSameList(rest, others) || isInverted(rest, others)) return true
  }
  return false
}

/** Verbs that other languages put in front of the subject then. */
const inverting = new Set(
  (
    'ist sind war waren wird hat haben wohnt läuft laufen nutzt arbeitet arbeiten trifft gehört heißt gibt liegt beginnt endet ' +
    'est sont a ont utilise travaille habite se es son está están tiene usa trabaja vive despliega empieza'
  ).split(' '),
)

function isInverted(plain: readonly Term[], inverted: readonly Term[]): boolean {
  const [verb, ...others] = inverted
  const at = verb === undefined || !inverting.has(verb.key) ? -1 : plain.findIndex((term) => isSameTerm(term, verb))
  return at > 0 && isSameList(plain.toSpliced(at, 1), others)
}

const copulas = new Set(['is', 'are', 'was', 'were'])
/** With these a description fits several things, and cannot change places with one of them. */
const quantifiers = new Set('all every each any some no most many few both only one 1 not never none'.split(' '))

/** "The owner of Orion is Ann" and "Ann is the owner of Orion", where one side names or numbers one thing. */
function isTurned(a: readonly Term[], b: readonly Term[]): boolean {
  const at = a.findIndex(({ key }) => copulas.has(key))
  if (at < 1 || at === a.length - 1 || a.length !== b.length) return false
  const [left, right] = [a.slice(0, at), a.slice(at + 1)]
  const isNamed = [left, right].some((side) => side.every(({ isName }) => isName)) || isNamedIn(b, at)
  const isOneThing =
    a.every(({ key, isOne }) => !isOne && !quantifiers.has(key) && !isNegation(key)) && b.every(({ isOne }) => !isOne)
  return isNamed && isOneThing && isSameList([...right, a[at] as Term, ...left], b)
}

/** The first word of a sentence has a capital anyway: whether it names something the other text tells. */
const isNamedIn = (turned: readonly Term[], count: number) => turned.slice(-count).every(({ isName }) => isName)

/** "Ivan's manager" as "manager of Ivan"; of several words only names, or what begins a sentence, are certain to be the owner. */
function withOf(terms: readonly Term[]): readonly Term[] {
  const at = terms.findIndex(({ key }) => key === "'s")
  const owned = terms[at + 1]
  if (at < 1 || owned === undefined) return terms
  let start = at
  const isOwner = ({ key, isName }: Term) => (terms[at - 1]?.isName === true ? isName : !linkWords.has(key))
  while (start > 0 && isOwner(terms[start - 1] as Term)) start--
  if (start === at) start = at - 1
  const of: Term = { key: 'of', bases: [], isPlural: false, isOne: false, isName: false }
  return [...terms.slice(0, start), owned, of, ...terms.slice(start, at), ...terms.slice(at + 2)]
}

const linkWords = new Set(
  'is are was were has have do did will can must may should would could of in on at for from to with without by and or not but if when that who which as than'.split(
    ' ',
  ),
)

/** "The image is built by CI" as "CI builds the image". */
function activeOf(terms: readonly Term[]): readonly Term[] {
  const by = terms.findIndex(({ key }) => key === 'by')
  const [be, verb] = [terms[by - 2], terms[by - 1]]
  if (by < 3 || be === undefined || verb === undefined || !copulas.has(be.key)) return terms
  const isPast = be.key.startsWith('w')
  const active = asActive(verb, isPast)
  if (active === undefined) return terms
  const length = terms.slice(by + 1).findIndex(({ key }, at) => at > 0 && adjunctOpeners.has(key))
  const end = length < 0 ? terms.length : by + 1 + length
  return [...terms.slice(by + 1, end), active, ...terms.slice(0, by - 2), ...terms.slice(end)]
}

/** Undefined where the word is no participle. The key of a regular one is not known: any of its bases may be meant. */
function asActive(verb: Term, isPast: boolean): Term | undefined {
  const [base = '', form] = verb.key.split(' ')
  if (form === 'past' || form === 'participle') return { ...verb, key: isPast ? `${base} past` : base }
  if (verb.bases.length === 0) return undefined
  return isPast ? verb : { ...verb, key: '' }
}

const carriers = new Set(['she', 'he', 'it', 'they', 'i', 'we', 'you'])
/** What follows these is no other subject that a pronoun could mean. */
const placeWords = new Set(['in', 'at', 'on', 'from', 'to', 'near', 'as'])
/** Before these a single word is the whole subject. */
const plainVerbs = new Set(
  'is was am have live work speak use run like enjoy prefer own need want play know study teach lead'.split(' '),
)

/**
 * Sentences as one: what the next says of the same subject, named again or by a pronoun. With several names a pronoun may
 * mean any of them, and then nothing is left out.
 */
function joined(sentences: readonly Term[][]): Term[] {
  const [first = []] = sentences
  const [subject] = first
  const and: Term = { key: 'and', bases: [], isPlural: false, isOne: false, isName: false }
  let isCertain = true
  return sentences.flatMap((sentence, at) => {
    const [next, ...others] = sentence
    const isRepeated =
      next?.key === subject?.key && [first[1], others[0]].every((term) => plainVerbs.has(term?.key ?? ''))
    const isSame = isRepeated || (isCertain && carriers.has(next?.key ?? ''))
    isCertain &&= sentence.every(
      ({ isName }, place) => !isName || at + place === 0 || placeWords.has(sentence[place - 1]?.key ?? ''),
    )
    if (at === 0) return sentence
    return [and, ...(isSame ? others : sentence)]
  })
}

/** Where nothing is denied, asked, or said of all or of a case, who does something quietly does it. */
const scoping = new Set('all every each any if when unless while until who that which or ?'.split(' '))

function shareWithoutManner(older: readonly Term[], newer: readonly Term[]): number | undefined {
  if (newer.length >= older.length || older.some(({ key }) => scoping.has(key) || isNegation(key))) return undefined
  let at = 0
  for (const term of newer) {
    while (at < older.length && !isSameTerm(older[at] as Term, term))
      if (!isManner(older[at++] as Term)) return undefined
    if (at++ >= older.length) return undefined
  }
  return older.slice(at).every(isManner) ? newer.length / older.length : undefined
}

const isManner = ({ key, isName }: Term) =>
  key.length > 5 && key.endsWith('ly') && !isName && !isLimit(key) && sidesOf(key).length === 0
