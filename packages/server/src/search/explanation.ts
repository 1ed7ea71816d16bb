import { z } from 'zod'
import { leftOutWords } from '../text/tokenize.ts'
import { distinctWords } from '../vault-index/query.ts'
import type { ItemScore } from './explain-item.ts'
import { lostStages, type Explanation, type LostItem } from './explain-search.ts'
import type { SearchRequest } from './search-index.ts'

/** An explained search as callers get it. */

const rank = z.int().nullable().describe('Place in that list, from 1; null if it is not in it.')
const part = z
  .number()
  .describe(
    "What that list contributes: its weight × (½ × (k + 1) / (k + place) + ½ × (the record's score / the list's best score)²).",
  )
const factor = z.number().min(1)

export const scoreDetails = z
  .looseObject({
    semanticRank: rank,
    blindRank: rank,
    graphRank: rank,
    semanticScore: z.number().nullable().describe('The score that orders the list by meaning, including the factors.'),
    blindScore: z.number().nullable().describe('The score that orders the list by words, including the factors.'),
    cosine: z.number().nullable().describe("The model's own figure; `similarity` is the calibrated one."),
    dateFactor: factor.describe('Factor in the scores of both lists, for a date that the question names.'),
    speakerFactor: factor.describe('Factor in the scores of both lists, for a speaker that the question names.'),
    semanticPart: part,
    blindPart: part,
    lent: z.number().describe('The contribution of links and mentions.'),
    rrf: z.number().describe('The fused score: semanticPart + blindPart + lent. The first two add up to at most 1.'),
    decay: z.number().describe('Factor in the score, for its age.'),
    importance: z.number().describe('Factor in the score, for its importance.'),
    outdated: z
      .number()
      .describe(
        'Factor in the score, below 1 if a newer statement may have replaced it: score = rrf × decay × importance × outdated.',
      ),
    newerId: z.uuid().nullable().describe('The id of the newer memory; null without one.'),
    place: z.int().describe('Place by score, from 1.'),
    mmr: z
      .number()
      .nullable()
      .describe(
        'Its value when diversity chose it: its share of the best score, minus its likeness to earlier hits. Null if diversity is 0 and the order is by score.',
      ),
    position: z.int().nullable().describe('Place in the answer, from 1; null if it is missing.'),
  })
  .meta({ id: 'ScoreDetails' })

export const dropped = z
  .looseObject({
    id: z.uuid(),
    stage: z
      .enum(lostStages)
      .describe(
        'Why it is missing: `archived`, `expired`, `superseded`; `later` than asOf; `filtered` by type, entities and so on; under the `threshold` and not found by words or links; past the `depth` of the lists; too low for `topK`; too similar to a better hit (`diversity`); less relevant than the hits for the reranker (`reranked`); `unmatched`: nothing leads to it; `unknown`: not in this vault.',
      ),
    reason: z.string().describe('The same in words, with the figure that decided.'),
    similarity: z.number().nullable().describe('To the question; null if it was not compared.'),
    scoreDetails: scoreDetails.nullable().describe('Null if it was never ranked.'),
    resemblesId: z.uuid().optional().describe('Only with `diversity`: the id of the better hit.'),
  })
  .meta({ id: 'DroppedMemory' })

const share = z.number().min(0).max(1)

export const explanation = z
  .looseObject({
    words: z
      .array(
        z.looseObject({
          word: z.string().describe('As it is compared with the records: stemmed, without accents.'),
          weight: share.describe("Its share of the question's weight: the rarer in the vault, the higher."),
          isCounted: z.boolean().describe('False if no record has it, or 32 words of the question are rarer.'),
          isSpeaker: z.boolean().describe('Whether it is the name of a speaker in the vault.'),
        }),
      )
      .describe('The words of the question.'),
    leftOut: z.array(z.string()).describe('Words of the question that are too common to search for.'),
    dates: z
      .array(z.looseObject({ from: z.iso.datetime(), to: z.iso.datetime().describe('The first moment after it.') }))
      .describe('The times that the question names.'),
    semanticLeg: z.looseObject({
      ran: z.boolean(),
      reason: z.string().nullable().describe('Why it did not run.'),
    }),
    reranker: z
      .looseObject({ ran: z.boolean(), reason: z.string().nullable().describe('Why it did not run.') })
      .nullable()
      .describe('Null if none is configured, or this search does not use it.'),
    coverage: share.describe("The largest share of the question's weight that the words of one memory have."),
    semanticWeight: share.describe('Weight of the list by meaning: the less the words cover, the higher.'),
    blindWeight: share.describe('Weight of the list by words.'),
    semanticBest: z.number().nullable().describe('The best score in the list by meaning; null if the list is empty.'),
    blindBest: z.number().nullable().describe('The best score in the list by words; null if the list is empty.'),
    rankConstant: z.int().describe('k: the smaller, the more the first places count.'),
    legDepth: z.int().describe('Number of places in each list.'),
    topK: z.int(),
    threshold: z.number().describe('Minimum similarity of a semantic match.'),
    thresholdCosine: z
      .number()
      .nullable()
      .describe("The model's cosine for this similarity; null if the question has no vector."),
    decayHalfLife: z.number().describe('In days.'),
    diversity: z.number(),
    preferNewer: z.boolean(),
    dropped: z.array(dropped).describe('The best items that are not in the answer, at most 20, best first.'),
    asked: z.array(dropped).describe('The items of `explainIds` that are not in the answer.'),
  })
  .meta({ id: 'SearchExplanation' })

/** `failure`: why the semantic leg could not run. */
export function describeExplanation(
  query: string,
  request: SearchRequest,
  explained: Explanation,
  failure: string | undefined,
): z.input<typeof explanation> {
  const { words, lost, asked, thresholdCosine, coverage, semanticWeight, blindWeight, semanticBest, blindBest } =
    explained
  const { rankConstant, legDepth } = explained
  const written = distinctWords(query)
  const { topK, threshold, decayHalfLifeDays, diversity, preferNewer, vector } = request
  return {
    words: words.map((word, place) => ({ word: written[place] ?? '', ...word })),
    leftOut: leftOutWords(query),
    dates: request.query.dateWindows.map(({ fromMs, toMs }) => ({ from: timeOf(fromMs), to: timeOf(toMs) })),
    semanticLeg: {
      ran: vector !== undefined,
      reason: vector === undefined ? (failure ?? 'the question is blank') : null,
    },
    reranker: null,
    coverage,
    semanticWeight,
    blindWeight,
    semanticBest,
    blindBest,
    rankConstant,
    legDepth,
    topK,
    threshold,
    thresholdCosine: thresholdCosine ?? null,
    decayHalfLife: decayHalfLifeDays,
    diversity,
    preferNewer,
    dropped: lost.map(describeLost),
    asked: asked.map(describeLost),
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

const describeLost = ({ itemId, details, ...lost }: LostItem): z.input<typeof dropped> => ({
  id: itemId,
  ...lost,
  scoreDetails: details && describeScore(details),
})

/** Score and similarity are fields of the record. */
export const describeScore = ({
  score: _score,
  similarity: _similarity,
  ...rest
}: ItemScore): z.input<typeof scoreDetails> => rest
