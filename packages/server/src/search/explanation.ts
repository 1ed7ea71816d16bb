import { z } from 'zod'
import { leftOutWords } from '../text/tokenize.ts'
import { distinctWords } from '../vault-index/query.ts'
import type { ItemScore } from './explain-item.ts'
import { lostStages, type Explanation, type LostItem } from './explain-search.ts'
import type { SearchRequest } from './search-index.ts'

/** How an explained search is told to its caller. */

const rank = z.int().nullable().describe('Place in that list, from 1; null where it is not in it.')
const part = z.number().describe("What its place in that list brings: the list's weight × (k + 1) / (k + place).")
const factor = z.number().min(1)

export const scoreDetails = z
  .looseObject({
    semanticRank: rank,
    blindRank: rank,
    graphRank: rank,
    semanticScore: z.number().nullable().describe('What the list by meaning is ordered by, factors included.'),
    blindScore: z.number().nullable().describe('What the list by words is ordered by, factors included.'),
    cosine: z.number().nullable().describe('As the model gives it; `similarity` is what that means.'),
    dateFactor: factor.describe('Of a day that the question names: a factor in both lists’ scores.'),
    speakerFactor: factor.describe('By someone whom the question names: likewise.'),
    semanticPart: part,
    blindPart: part,
    lent: z.number().describe('What links and mentions lend.'),
    rrf: z.number().describe('semanticPart + blindPart + lent: the first two together at most 1.'),
    decay: z.number().describe('Factor of its age in the score.'),
    importance: z.number().describe('Factor of its importance in the score: score = rrf × decay × importance.'),
    place: z.int().describe('Place by score, from 1.'),
    mmr: z
      .number()
      .nullable()
      .describe(
        'What it was worth when it was taken: its part of the best score, less its likeness to those taken before. Null where diversity is 0: the order is then by score.',
      ),
    position: z.int().nullable().describe('Place in the answer, from 1; null where it is not in it.'),
  })
  .meta({ id: 'ScoreDetails' })

const dropped = z
  .looseObject({
    id: z.uuid(),
    stage: z
      .enum(lostStages)
      .describe(
        'What kept it out: `archived`, `expired`, `superseded`; `later` than asOf; `filtered` by type, entities and the like; under the `threshold` and found in no other way; past the `depth` of the lists; too low for `topK`; too like a better one (`diversity`); `unmatched`: nothing leads to it; `unknown`: not in this vault.',
      ),
    reason: z.string().describe('The same in words, with the figure that decided.'),
    similarity: z.number().nullable().describe('To the question; null where it was not compared.'),
    scoreDetails: scoreDetails.nullable().describe('Null where it was never ranked.'),
  })
  .meta({ id: 'DroppedMemory' })

const share = z.number().min(0).max(1)

export const explanation = z
  .looseObject({
    words: z
      .array(
        z.looseObject({
          word: z.string().describe('As it is compared: stemmed, without accents.'),
          weight: share.describe("Its part of the question's weight: the rarer in the vault, the more."),
          isCounted: z.boolean().describe('False where the vault does not hold it, or 32 rarer words come before it.'),
          isSpeaker: z.boolean().describe('Whether someone who speaks in the vault is called so.'),
        }),
      )
      .describe('The words of the question.'),
    leftOut: z.array(z.string()).describe('Those that say too little to be looked for.'),
    dates: z
      .array(z.looseObject({ from: z.iso.datetime(), to: z.iso.datetime().describe('The first moment after it.') }))
      .describe('The times that the question names.'),
    semanticLeg: z.looseObject({
      ran: z.boolean(),
      reason: z.string().nullable().describe('Why it did not.'),
    }),
    coverage: share.describe("The largest part of the question's weight that one memory's own words hold."),
    semanticWeight: share.describe('Weight of the list by meaning: the less the words cover, the more.'),
    blindWeight: share.describe('Weight of the list by words.'),
    rankConstant: z.int().describe('k: the smaller, the more the first places count.'),
    legDepth: z.int().describe('Places in each list.'),
    topK: z.int(),
    threshold: z.number().describe('Least similarity of a semantic match.'),
    thresholdCosine: z.number().nullable().describe("The model's cosine that means it; null where there is no vector."),
    decayHalfLife: z.number().describe('In days.'),
    diversity: z.number(),
    dropped: z.array(dropped).describe('The best that are not in the answer, at most 20, best first.'),
    asked: z.array(dropped).describe('Those of `explainIds` that are not in the answer.'),
  })
  .meta({ id: 'SearchExplanation' })

/** `failure`: why the semantic leg could not run. */
export function describeExplanation(
  query: string,
  request: SearchRequest,
  explained: Explanation,
  failure: string | undefined,
): z.input<typeof explanation> {
  const { words, lost, asked, thresholdCosine, coverage, semanticWeight, blindWeight, rankConstant, legDepth } =
    explained
  const written = distinctWords(query)
  const { topK, threshold, decayHalfLifeDays, diversity, vector } = request
  return {
    words: words.map((word, place) => ({ word: written[place] ?? '', ...word })),
    leftOut: leftOutWords(query),
    dates: request.query.dateWindows.map(({ fromMs, toMs }) => ({ from: timeOf(fromMs), to: timeOf(toMs) })),
    semanticLeg: {
      ran: vector !== undefined,
      reason: vector === undefined ? (failure ?? 'the question is blank') : null,
    },
    coverage,
    semanticWeight,
    blindWeight,
    rankConstant,
    legDepth,
    topK,
    threshold,
    thresholdCosine: thresholdCosine ?? null,
    decayHalfLife: decayHalfLifeDays,
    diversity,
    dropped: lost.map(describeLost),
    asked: asked.map(describeLost),
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

const describeLost = ({ itemId, stage, reason, similarity, details }: LostItem): z.input<typeof dropped> => ({
  id: itemId,
  stage,
  reason,
  similarity,
  scoreDetails: details && describeScore(details),
})

/** Score and similarity stand with the record. */
export const describeScore = ({
  score: _score,
  similarity: _similarity,
  ...rest
}: ItemScore): z.input<typeof scoreDetails> => rest
