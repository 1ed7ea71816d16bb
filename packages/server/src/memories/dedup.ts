import { compareClaims, type Comparison } from '../text/compare-claims.ts'
import { normaliseForEquality } from '../text/normalise.ts'

/**
 * Whether a new text says what an older one says already. Dedup never deletes, and where it cannot be sure it does
 * nothing: a duplicate too many costs a line in an answer, a fact too few is lost.
 */

export interface DedupThresholds {
  /** Least share of the words of both texts that they have in common. */
  nearDuplicate: number
  /** Least cosine of texts that mean the same. */
  semanticDuplicate: number
  /** Least cosine of texts of which the newer takes the older's place. */
  supersede: number
}

/** In the order in which they are preferred. */
export const dedupActions = ['exact_match', 'near_duplicate', 'semantic_duplicate', 'superseded'] as const

export interface Verdict {
  action: (typeof dedupActions)[number]
  /** The older memory. */
  memoryId: string
  /** 1, the share of common words, or the cosine, by the action. */
  similarity: number
}

/** What is compared of a memory. */
export interface Claim {
  memoryId: string
  memoryType: string
  content: string
  entities: readonly string[]
  occurredAt: number
  /** Undefined: never. */
  expiresAt: number | undefined
}

/** Longer pairs are only looked at for whether they are equal: comparing takes 10 ms for so many characters. */
export const maxComparedChars = 50_000

/** How alike two memories are by their keyed words and vectors. */
export interface Likeness {
  jaccard: number
  /** Undefined where they have no vectors of one model, or one has several. */
  cosine: number | undefined
  sharesEntity: boolean
}

/**
 * From this share of common words on, two texts are the same sentence, in which one word for another tells another thing:
 * the "billing" service for the "shipping" service. The longer the sentence, the less its vector shows of that.
 */
const sameSentence = 0.65

/** Undefined where the older memory does not say the same. */
export function judge(
  newer: Claim,
  older: Claim,
  { jaccard, cosine = 0, sharesEntity }: Likeness,
  thresholds: DedupThresholds,
): Verdict | undefined {
  const { memoryId } = older
  // What ends sooner cannot answer for it.
  const mayAnswer = lastsAsLong(older, newer)
  if (saysTheSame(newer.content, older.content))
    return mayAnswer ? { action: 'exact_match', memoryId, similarity: 1 } : undefined
  if (newer.content.length + older.content.length > maxComparedChars) return undefined
  if (jaccard < thresholds.nearDuplicate && cosine < Math.min(thresholds.semanticDuplicate, thresholds.supersede))
    return undefined
  const comparison = compareClaims(older.content, newer.content, [...older.entities, ...newer.entities])
  if (!comparison.hasSameDetails || !comparison.hasSamePolarity || !comparison.hasSameOrder) return undefined
  if (mayAnswer && jaccard >= thresholds.nearDuplicate && comparison.addsNothing)
    return { action: 'near_duplicate', memoryId, similarity: jaccard }
  const isOtherwiseSaid = (jaccard < sameSentence && !comparison.isExtended) || comparison.addsNothing
  if (mayAnswer && cosine >= thresholds.semanticDuplicate && comparison.hasSameNames && isOtherwiseSaid)
    return { action: 'semantic_duplicate', memoryId, similarity: cosine }
  if (cosine >= thresholds.supersede && sharesEntity && takesPlaceOf(newer, older, comparison))
    return { action: 'superseded', memoryId, similarity: cosine }
  return undefined
}

// Superscripts and fractions fold into plain digits: "10²" is not "102".
const foldingDigits = /[⁰¹²³⁴-⁹₀-₉¼-¾⅐-⅞]/gu

const saysTheSame = (a: string, b: string) =>
  normaliseForEquality(a) === normaliseForEquality(b) &&
  a.match(foldingDigits)?.join('') === b.match(foldingDigits)?.join('')

const lastsAsLong = ({ expiresAt: one = Infinity }: Claim, { expiresAt: other = Infinity }: Claim) => one >= other

/** What happened stays, whatever happens later; what is said of something else, or will be gone sooner, takes nobody's place. */
const takesPlaceOf = (newer: Claim, older: Claim, { hasSameSubject }: Comparison) =>
  newer.memoryType !== 'episodic' && hasSameSubject && newer.occurredAt >= older.occurredAt && lastsAsLong(newer, older)

/** The best of several, the oldest of equals. */
export function bestVerdict(verdicts: readonly Verdict[]): Verdict | undefined {
  const rank = ({ action }: Verdict) => dedupActions.indexOf(action)
  const [best] = verdicts.toSorted(
    (a, b) => rank(a) - rank(b) || b.similarity - a.similarity || (a.memoryId < b.memoryId ? -1 : 1),
  )
  return best
}
