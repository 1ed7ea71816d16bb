import { termsOf, type Term } from './claim-terms.ts'
import {
  isEmbedding,
  isPlain,
  isSameList,
  isAdjunct,
  opensAdjunct,
  placesOf,
  listInversions,
  activeOf,
} from './term-order.ts'

/** Longer texts are lists or logs, which are never reworded as a whole. */
const [maxWords, maxChars] = [60, 600]

const isShort = (text: string) => text.length <= maxChars && text.split(/\s+/, maxWords + 1).length <= maxWords

/**
 * Whether two texts say the same in equivalent words and an equivalent order. This is a proof: every term of one has its place in the
 * other. Word overlap and vectors prove nothing, because a digit, a "not" or a swapped subject and object hardly changes them.
 * False for texts of more than 60 words.
 */
export function isRewording(one: string, other: string): boolean {
  if (!isShort(one) || !isShort(other)) return false
  const [a, b] = [termsOf(one), termsOf(other)]
  if (a.length !== b.length) return isJoined(a, b) || isJoined(b, a)
  return a.length > 0 && a.every((sentence, at) => isSameSentence(sentence, b[at] ?? []))
}

/** "Ann rests. Bob works." and "Ann rests and Bob works", unless some part could belong to both sentences or only to one. */
function isJoined(
  [first = [], second = [], ...more]: readonly Term[][],
  [whole = [], ...others]: readonly Term[][],
): boolean {
  if (second.length === 0 || more.length + others.length > 0 || !isPlain(first) || isAdjunct(first)) return false
  const known = new Set(first.map(({ key }) => key))
  const isOwn = (terms: readonly Term[]) =>
    !terms.some((term) => isEmbedding(term) || (opensAdjunct(term) && !known.has(term.key)))
  const rest = whole.toSpliced(first.length, 1)
  return (
    whole[first.length]?.key === 'and' &&
    [second, ...withoutSubject(first, second)].some(
      (part) => isOwn(part[0]?.key === 'lives' ? part.slice(2) : part) && isSameList([...first, ...part], rest),
    )
  )
}

const standing = /^(?:is|has|lives|works|uses|runs|needs|speaks)$/

/** "Bea is a vet. Bea lives in Malmo." and "Bea is a vet and lives in Malmo", "Bea speaks German. Bea also speaks Dutch." */
function withoutSubject(first: readonly Term[], second: readonly Term[]): Term[][] {
  const said = second.filter(({ key }, at) => at !== 1 || key !== 'also')
  const [verb, other] = [first[1]?.text ?? '', said[1]?.text ?? '']
  const isSame = isSameList(first.slice(0, 1), said.slice(0, 1)) && standing.test(verb) && standing.test(other)
  if (!isSame) return []
  return verb === other ? [said.slice(1), said.slice(2)] : [said.slice(1)]
}

function isSameSentence(a: readonly Term[], b: readonly Term[]): boolean {
  if (isSameList(a, b)) return true
  // A sentence in the active voice is shorter than a passive one by "is" and "by".
  if (Math.abs(a.length - b.length) > 2) return false
  const [mine, yours] = [ordersOf(a, b), ordersOf(b, a)]
  return mine.some((one) => yours.some((two) => isSameList(one, two)))
}

function ordersOf(sentence: readonly Term[], other: readonly Term[]): Term[][] {
  const active = activeOf(sentence, other)
  return [...placesOf(sentence), ...listInversions(sentence), ...(active === undefined ? [] : [active])]
}
