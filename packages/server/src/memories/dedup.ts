import { z } from 'zod'
import { compareClaims, type Comparison } from '../claims/compare-claims.ts'
import { normalizeForEquality } from '@holdfast/transfer/text/normalize'
import { isRewording } from '../claims/rewording.ts'

/**
 * Whether a new text says what an older one says. Dedup never deletes, and does nothing if it can't be sure: an extra
 * duplicate costs a line in an answer, but a missing fact is lost.
 */

export interface DedupThresholds {
  /** Any number below 1 turns this layer on, 1 turns it off: a text is a rewording or it isn't. */
  nearDuplicate: number
  /** The lowest calibrated similarity of texts that mean the same; 1 turns this layer off. */
  semanticDuplicate: number
  /** The lowest similarity at which a newer text supersedes an older one; 1 turns this layer off. */
  supersede: number
}

/** 1 turns a layer off. */
const reaches = (similarity: number, threshold: number) => threshold < 1 && similarity >= threshold

/** In order of preference. */
const dedupActions = ['exact_match', 'near_duplicate', 'semantic_duplicate', 'superseded'] as const

export interface Verdict {
  action: (typeof dedupActions)[number]
  /** The older memory. */
  memoryId: string
  /** 1 if the texts are the same or one rewords the other, otherwise the similarity of their vectors. */
  similarity: number
}

/** The parts of a memory that are compared. */
export interface Claim {
  memoryId: string
  memoryType: string
  content: string
  entities: readonly string[]
  occurredAt: number
  /** Undefined: never. */
  expiresAt: number | undefined
}

/** Longer pairs are only checked for equality. Comparing this many characters takes 8 ms for prose, 10 ms for hostile text. */
export const maxComparedChars = 6_000

/**
 * Memories that share less are not read. The index knows no synonyms, so the same statement in other words shares few.
 */
export const minShareRead = 0.4
export const minSimilarityRead = 0.5

/** How alike two memories are by their keyed words and vectors. */
export interface Likeness {
  jaccard: number
  /** Similarity of their vectors; undefined if they have none from the same model, or one has several. */
  similarity: number | undefined
  /**
   * Whether the vectors are means of word vectors. Of a hundred pairs of sentences that such vectors called the same and no
   * guard separated, about ninety were not: "oil the chain of your bike", "oil the lock of your bike".
   */
  isByWords: boolean
  sharesEntity: boolean
}

/**
 * From this share of common words, two texts are the same sentence, and one different word changes its meaning: the
 * "billing" service and the "shipping" service. The longer the sentence, the less its vector shows the difference.
 */
const sameSentence = 0.65

/** Undefined if the older memory doesn't say the same. */
export function judge(
  newer: Claim,
  older: Claim,
  { jaccard, similarity = 0, isByWords, sharesEntity }: Likeness,
  thresholds: DedupThresholds,
): Verdict | undefined {
  const { memoryId } = older
  // A memory that expires sooner can't replace it.
  const mayAnswer = lastsAsLong(older, newer)
  if (saysTheSame(newer.content, older.content))
    return mayAnswer ? { action: 'exact_match', memoryId, similarity: 1 } : undefined
  if (jaccard < minShareRead && similarity < minSimilarityRead) return undefined
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
 * Normalizing turns superscripts and fractions into plain digits, but "10²" is not "102". Flags and amounts of data differ by
 * letter case: "-d" and "-D", "Mb" and "MB".
 */
const significant =
  /[⁰¹²³⁴-⁹₀-₉¼-¾⅐-⅞]|(?<=(?:^| )["'`(]?)-\p{L}(?!\p{L})|(?<=(?:^| )[\d.]{1,20} ?[kmgt])b(?=$|[ .,;)]|\/s|ps)/giu

const significantSigns = (text: string) => text.replace(/\s+/gu, ' ').match(significant)?.join('')

const saysTheSame = (a: string, b: string) =>
  normalizeForEquality(a) === normalizeForEquality(b) && significantSigns(a) === significantSigns(b)

const lastsAsLong = ({ expiresAt: one = Infinity }: Claim, { expiresAt: other = Infinity }: Claim) => one >= other

/** An event is never superseded. Nor does a text supersede another with a different subject, more content or a later expiry. */
const takesPlaceOf = (newer: Claim, older: Claim, { hasSameSubject, isShortened }: Comparison) =>
  newer.memoryType !== 'episodic' &&
  hasSameSubject &&
  !isShortened &&
  newer.occurredAt >= older.occurredAt &&
  lastsAsLong(newer, older)

/** The best verdict; of equal ones, the oldest memory. */
export function bestVerdict(verdicts: readonly Verdict[]): Verdict | undefined {
  const rank = ({ action }: Verdict) => dedupActions.indexOf(action)
  const [best] = verdicts.toSorted(
    (a, b) => rank(a) - rank(b) || b.similarity - a.similarity || (a.memoryId < b.memoryId ? -1 : 1),
  )
  return best
}

/** What the answer to a write says about dedup, if the caller asked for it. */
export const dedupOutcome = {
  dedupAction: z
    .enum(['none', ...dedupActions])
    .optional()
    .describe('With dedup: what was found. `none` and `superseded` store the new record, the others do not.'),
  duplicateOfId: z.uuid().optional().describe('The existing record that it was compared with.'),
  similarity: z
    .number()
    .optional()
    .describe('1 if the texts are the same or one rewords the other, otherwise the similarity of their vectors.'),
}

export const describeDedup = ({ duplicate }: { duplicate: Verdict | undefined }) =>
  duplicate === undefined
    ? { dedupAction: 'none' as const }
    : {
        dedupAction: duplicate.action,
        duplicateOfId: duplicate.memoryId,
        similarity: Math.round(duplicate.similarity * 10_000) / 10_000,
      }
