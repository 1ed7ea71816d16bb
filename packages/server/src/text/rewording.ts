import { isAligned } from './align-terms.ts'
import { termsOf, type Term } from './claim-terms.ts'
import { isEmbedding, isPlain, isSameList, isSimple } from './plain-terms.ts'
import { isAdjunct, opensAdjunct, placesOf, turnsOf } from './term-order.ts'
import { activesOf } from './voice.ts'

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
  const isOwn = second.every((term) => !isEmbedding(term) && (!opensAdjunct(term) || known.has(term.key)))
  return (
    isOwn && whole[first.length]?.key === 'and' && isSameList([...first, ...second], whole.toSpliced(first.length, 1))
  )
}

/** Longer sentences are lists or logs, in which nothing is moved. */
const maxTerms = 60

/** Where a sentence tells one thing, "now" tells the same wherever it stands. */
const isNow = ({ key }: Term) => key === 'now' || key === 'currently'
const withoutNow = (terms: readonly Term[]) => terms.filter((term) => !isNow(term))

/** Active sentences are shorter than passive ones by "is" and "by"; "has" stands for "of" and "is"; a list and "'s" change less. */
const maxDifference = 3

function isSameSentence(first: readonly Term[], second: readonly Term[]): boolean {
  if (isSameList(first, second)) return true
  if (Math.max(first.length, second.length) > maxTerms) return false
  const hasNow = [first, second].every((each) => each.some(isNow) && isSimple(each))
  const [a, b] = hasNow ? [withoutNow(first), withoutNow(second)] : [first, second]
  if (Math.abs(a.length - b.length) > maxDifference || !mayShareWords(a, b)) return false
  const [mine, yours] = [placesOf(a), placesOf(b)]
  return mine.some((one) => yours.some((other) => isSameOrder(one, other)))
}

const isSameOrder = (a: readonly Term[], b: readonly Term[]): boolean =>
  isAligned(a, b) ||
  [...turnsOf(a), ...activesOf(a, b)].some((each) => isAligned(each, b)) ||
  [...turnsOf(b), ...activesOf(b, a)].some((each) => isAligned(each, a))

/** Whether all but two or three of the terms of each are in the other, as a verb may have another form. */
function mayShareWords(a: readonly Term[], b: readonly Term[]): boolean {
  const [mine, yours] = [new Set(a.map(({ key }) => key)), new Set(b.map(({ key }) => key))]
  const missing = (keys: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...keys].filter((key) => !others.has(key)).length
  return missing(mine, yours) <= maxOwn && missing(yours, mine) <= maxOwn
}

/** "Is", "by", the verb, "of", "'s", "not", "do", and a singular for a plural. */
const maxOwn = 5
