import { capitalize } from '../../components/text/first-words.ts'
import { formatMoment } from '../../components/text/time-text.ts'
import type { Answer, Details, Dropped, Found } from './lab-state.ts'

/** Why a search returned a record or left it out, in plain sentences. */

type Hit = Answer['hits'][number]

const legs = [
  { name: 'meaning', rank: 'semanticRank', part: 'semanticPart' },
  { name: 'words', rank: 'blindRank', part: 'blindPart' },
  { name: 'links', rank: 'graphRank', part: 'lent' },
] as const

/** One sentence for each way in which the search looked, then what changed the order. */
export function explainHit(hit: Hit, explanation: Answer['explanation']): string[] {
  const { scoreDetails } = hit
  return [
    sentenceOfReranker(hit),
    sentenceOfWinner(scoreDetails),
    sentenceOfMeaning(hit, explanation),
    sentenceOfWords(scoreDetails),
    sentenceOfLinks(scoreDetails),
    sentenceOfBonus(scoreDetails),
    // With a reranker, its ratings make the order.
    ...(explanation.reranker?.ran === true ? [] : [sentenceOfNewer(scoreDetails), sentenceOfDiversity(scoreDetails)]),
  ].filter((sentence) => sentence !== '')
}

const sentenceOfReranker = ({ relevance }: Hit): string =>
  relevance === null ? '' : `The reranker rated it ${relevance.toFixed(2)}, which decides its place.`

function sentenceOfWinner(details: Details): string {
  const [best] = legs.toSorted((a, b) => details[b.part] - details[a.part])
  if (best === undefined || details.rrf <= 0) return ''
  const share = Math.round((details[best.part] / details.rrf) * 100)
  return share === 100
    ? `Found by its ${best.name} only.`
    : `Found mainly by its ${best.name} (${share}% of the score).`
}

function sentenceOfMeaning(
  { similarity, scoreDetails }: Hit,
  { semanticLeg, threshold }: Answer['explanation'],
): string {
  if (!semanticLeg.ran) return 'Meaning: not compared, because no embedding model was available.'
  if (scoreDetails.semanticRank !== null && similarity !== null)
    return `Meaning: ${nth(scoreDetails.semanticRank)} closest to the query (similarity ${similarity.toFixed(2)}).`
  return similarity !== null && similarity < threshold
    ? `Meaning: similarity ${similarity.toFixed(2)} is below the threshold of ${threshold.toFixed(2)}, which doesn’t apply to results found by words or links.`
    : 'Meaning: not among the closest records.'
}

/** Why a record is in the answer although its similarity is below the threshold. */
export function howFound({ blindRank, graphRank }: Details): string {
  if (blindRank !== null) return 'found by its words'
  return graphRank === null ? 'one of the closest in meaning' : 'found by its links'
}

const sentenceOfWords = ({ blindRank }: Details): string =>
  blindRank === null
    ? 'Words: contains none of the query’s words that count.'
    : `Words: ${nth(blindRank)} best match for the words of the query.`

const sentenceOfLinks = ({ graphRank, lent }: Details): string =>
  graphRank === null && lent === 0
    ? 'Links: none from the best matches.'
    : 'Links: it is linked to other good matches, or shares a name with them.'

function sentenceOfBonus({ decay, importance }: Details): string {
  const percent = Math.round((decay * importance - 1) * 100)
  if (percent === 0) return ''
  return percent > 0
    ? `Age and importance raise the score by ${percent}%.`
    : `Age and importance lower the score by ${-percent}%.`
}

const sentenceOfNewer = ({ newerId }: Details): string =>
  newerId === null ? '' : 'Newer: a newer memory about the same subject also fits, so this one ranks lower.'

function sentenceOfDiversity({ place, position }: Details): string {
  if (position === null || position === place) return ''
  return position < place
    ? `Diversity: moved up from place ${place}, because it says something that better matches don’t.`
    : `Diversity: moved down from place ${place}, because it resembles a better match.`
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }

const nth = (rank: number): string => (rank === 1 ? 'the' : `the ${rank}${endings[ordinals.select(rank)]}`)

/** Why a record isn't in the answer. Names the better hit by its title. */
export function explainDrop(
  { stage, reason, resemblesId, scoreDetails }: Dropped,
  hits: readonly Hit[],
  records: ReadonlyMap<string, Found>,
): string {
  if (stage === 'threshold') return explainThreshold(reason)
  if (stage !== 'diversity' || resemblesId === undefined) return asSentence(reason)
  const record = records.get(resemblesId)
  const title = record === undefined ? 'a better result' : `“${titleOf(record)}”`
  const place = hits.findIndex(({ id }) => id === resemblesId) + 1
  const rank = scoreDetails === null ? '' : `Ranked #${scoreDetails.place} by score, but it `
  const result = place === 0 ? '' : `, which is result ${place}`
  return `${rank === '' ? 'It ' : rank}says nearly the same as ${title}${result}. To include both, lower the diversity.`
}

export const titleOf = ({ title, preview }: Found): string => (title.trim() === '' ? preview : title)

/** The server's reasons begin in lower case and contain times for programs. */
const asSentence = (reason: string) =>
  sentenceOfRank(reason) ?? capitalize(reason).replace(isoTime, (iso) => formatMoment(iso))

function sentenceOfRank(reason: string): string | undefined {
  const [, place, score, last] = /^place (\d+) by score: ([\d.]+); the last hit has ([\d.]+)$/.exec(reason) ?? []
  return place === undefined ? undefined : `Rank ${place}, score ${score}. The last result has ${last}.`
}

const isoTime = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g

function explainThreshold(reason: string): string {
  const [, similarity, threshold] = /^similarity ([\d.]+) is under ([\d.]+)$/.exec(reason) ?? []
  return similarity === undefined || threshold === undefined
    ? reason
    : `Similarity ${similarity} is below the threshold of ${threshold}, and neither words nor links of the query lead to it.`
}
