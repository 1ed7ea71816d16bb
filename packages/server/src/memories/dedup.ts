import { compareClaims, type Comparison } from '../claims/compare-claims.ts'
import { normaliseForEquality } from '@holdfast/transfer/text/normalise'
import { isRewording } from '../claims/rewording.ts'

/**
 * Whether a new text says what an older one says already. Dedup never deletes, and where it cannot be sure it does
 * nothing: a duplicate too many costs a line in an answer, a fact too few is lost.
 */

export interface DedupThresholds {
  /** A text either says the same in other words or does not: any number below 1 lets it count, 1 does not. */
  nearDuplicate: number
  /** Least similarity, as the model's calibration has it, of texts that mean the same; at 1 none do. */
  semanticDuplicate: number
  /** Least similarity of texts of which the newer takes the older's place; at 1 none does. */
  supersede: number
}

/** 1 turns a layer off. */
const reaches = (similarity: number, threshold: number) => threshold < 1 && similarity >= threshold

/** In the order in which they are preferred. */
export const dedupActions = ['exact_match', 'near_duplicate', 'semantic_duplicate', 'superseded'] as const

export interface Verdict {
  action: (typeof dedupActions)[number]
  /** The older memory. */
  memoryId: string
  /** 1 where the texts say the same, by letters or words; else the similarity of the vectors. */
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

/** Longer pairs are only looked at for whether they are equal: comparing takes 8 ms for so many characters of prose, 10 ms for hostile ones. */
export const maxComparedChars = 6_000

/**
 * What shares less is not worth reading. The index knows no words that stand for each other, so the same said in other words
 * shares few.
 */
export const leastShareRead = 0.4
export const leastSimilarityRead = 0.5

/** How alike two memories are by their keyed words and vectors. */
export interface Likeness {
  jaccard: number
  /** Of their vectors; undefined where they have none of one model, or one has several. */
  similarity: number | undefined
  /**
   * Whether the vectors are means of words. Of a hundred pairs of others' sentences that such vectors called the same, and no
   * guard kept apart, some ninety were not: "oil the chain of your bike", "oil the lock of your bike".
   */
  isByWords: boolean
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
  { jaccard, similarity = 0, isByWords, sharesEntity }: Likeness,
  thresholds: DedupThresholds,
): Verdict | undefined {
  const { memoryId } = older
  // What ends sooner cannot answer for it.
  const mayAnswer = lastsAsLong(older, newer)
  if (saysTheSame(newer.content, older.content))
    return mayAnswer ? { action: 'exact_match', memoryId, similarity: 1 } : undefined
  if (jaccard < leastShareRead && similarity < leastSimilarityRead) return undefined
  if (newer.content.length + older.content.length > maxComparedChars) return undefined
  const comparison = compareClaims(older.content, newer.content, [...older.entities, ...newer.entities])
  if (!comparison.hasSameDetails || !comparison.hasSamePolarity) return undefined
  if (reaches(1, thresholds.nearDuplicate) && isRewording(older.content, newer.content))
    return mayAnswer ? { action: 'near_duplicate', memoryId, similarity: 1 } : undefined
  if (!comparison.hasSameOrder) return undefined
  const isOtherwiseSaid =
    jaccard < sameSentence && !comparison.isExtended && comparison.hasSameNames && comparison.hasSameSides
  if (mayAnswer && !isByWords && reaches(similarity, thresholds.semanticDuplicate) && isOtherwiseSaid)
    return { action: 'semantic_duplicate', memoryId, similarity }
  if (reaches(similarity, thresholds.supersede) && sharesEntity && takesPlaceOf(newer, older, comparison))
    return { action: 'superseded', memoryId, similarity }
  return undefined
}

/**
 * Superscripts and fractions fold into plain digits: "10²" is not "102". Flags and amounts of data differ by letter case:
 * "-d" and "-D", "Mb" and "MB".
 */
const telling =
  /[⁰¹²³⁴-⁹₀-₉¼-¾⅐-⅞]|(?<=(?:^| )["'`(]?)-\p{L}(?!\p{L})|(?<=(?:^| )[\d.]{1,20} ?[kmgt])b(?=$|[ .,;)]|\/s|ps)/giu

const toldBy = (text: string) => text.replace(/\s+/gu, ' ').match(telling)?.join('')

const saysTheSame = (a: string, b: string) =>
  normaliseForEquality(a) === normaliseForEquality(b) && toldBy(a) === toldBy(b)

const lastsAsLong = ({ expiresAt: one = Infinity }: Claim, { expiresAt: other = Infinity }: Claim) => one >= other

/** What happened stays, whatever happens later; what is said of something else, says only a part of it, or will be gone sooner, takes nobody's place. */
const takesPlaceOf = (newer: Claim, older: Claim, { hasSameSubject, isShortened }: Comparison) =>
  newer.memoryType !== 'episodic' &&
  hasSameSubject &&
  !isShortened &&
  newer.occurredAt >= older.occurredAt &&
  lastsAsLong(newer, older)

/** The best of several, the oldest of equals. */
export function bestVerdict(verdicts: readonly Verdict[]): Verdict | undefined {
  const rank = ({ action }: Verdict) => dedupActions.indexOf(action)
  const [best] = verdicts.toSorted(
    (a, b) => rank(a) - rank(b) || b.similarity - a.similarity || (a.memoryId < b.memoryId ? -1 : 1),
  )
  return best
}
