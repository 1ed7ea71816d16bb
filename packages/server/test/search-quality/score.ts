import type { LabelledSet, Question } from './labelled-set.ts'
import { meanOf, measureList, type MetricName, type Metrics } from './metrics.ts'

/** A line of a run file: the answer of a search to one question. */
export interface Answer {
  query_id: string
  /** Best first. */
  ids: string[]
  /** The greatest similarity among the answers; null if the semantic leg found nothing. */
  similarity?: number | null
}

/** The scores of a kind of question. */
export interface KindRow {
  kind: string
  count: number
  metrics: Metrics
}

/** How questions with an answer, or without one, were answered. */
interface AnswerHabits {
  count: number
  /** Mean number of results. */
  results: number
  /** The fraction of relevant ones among all results. */
  precision: number
  /** Mean of the greatest similarity of an answer, 0 if there is none. */
  similarity: number
}

export interface RunScore {
  overall: KindRow
  /** In the order of the set. */
  kinds: KindRow[]
  /** By the question's id, without questions that have no answer. */
  byQuestion: Map<string, Metrics>
  answered: AnswerHabits
  /** Questions that nothing in the vault answers: they have no recall. */
  abstained: AnswerHabits
  /** Questions that are missing in the run: they score 0. */
  missing: number
}

/** Scores a run. Throws if a question is repeated, or an id is unknown. */
export function scoreRun(set: LabelledSet, run: readonly Answer[]): RunScore {
  const parents = new Map(set.items.map(({ id, parent }) => [id, parent ?? id]))
  const answers = answersById(run, parents)
  const listFor = (question: Question): string[] => {
    const ids = answers.get(question.id)?.ids ?? []
    // The first turn that was found represents its conversation.
    return question.areParents ? ids.map((id) => parents.get(id) ?? id) : ids
  }
  const answerable = set.questions.filter(({ relevant }) => relevant.length > 0)
  const scored = answerable.map((question) => ({
    question,
    metrics: measureList(listFor(question), new Set(question.relevant)),
  }))
  const rowFor = (kind: string, part: typeof scored): KindRow => ({
    kind,
    count: part.length,
    metrics: meanOf(part.map(({ metrics }) => metrics)),
  })
  const kinds = [...new Set(answerable.map(({ kind }) => kind))]
  const habitsOf = (questions: readonly Question[]) => describeHabits(questions, answers, listFor)
  return {
    overall: rowFor('all', scored),
    kinds: kinds.map((kind) =>
      rowFor(
        kind,
        scored.filter(({ question }) => question.kind === kind),
      ),
    ),
    byQuestion: new Map(scored.map(({ question, metrics }) => [question.id, metrics])),
    answered: habitsOf(answerable),
    abstained: habitsOf(set.questions.filter(({ relevant }) => relevant.length === 0)),
    missing: answerable.filter(({ id }) => !answers.has(id)).length,
  }
}

function answersById(run: readonly Answer[], known: ReadonlyMap<string, string>): Map<string, Answer> {
  const answers = new Map<string, Answer>()
  for (const answer of run) {
    if (answers.has(answer.query_id)) throw new Error(`The run has the question ${answer.query_id} twice`)
    const strange = answer.ids.find((id) => !known.has(id))
    if (strange !== undefined) throw new Error(`The run has the id ${strange}, which the set does not know`)
    answers.set(answer.query_id, answer)
  }
  return answers
}

function describeHabits(
  questions: readonly Question[],
  answers: ReadonlyMap<string, Answer>,
  listFor: (question: Question) => string[],
): AnswerHabits {
  const count = questions.length
  const sum = (of: (question: Question) => number) => questions.reduce((total, question) => total + of(question), 0)
  const results = sum((question) => listFor(question).length)
  const right = sum((question) => listFor(question).filter((id) => question.relevant.includes(id)).length)
  return {
    count,
    results: results / Math.max(1, count),
    precision: right / Math.max(1, results),
    similarity: sum(({ id }) => answers.get(id)?.similarity ?? 0) / Math.max(1, count),
  }
}

export interface Comparison {
  /** Mean of this run minus the mean of the other. */
  difference: number
  /** Contains 95 % of the means of resampled questions. */
  low: number
  high: number
  /** Questions that this run answers better, and worse. */
  better: number
  worse: number
}

const rounds = 2_000

/** Paired bootstrap: both runs are scored on the same questions, which are drawn with replacement from a fixed seed. */
export function compareRuns(run: RunScore, other: RunScore, metric: MetricName): Comparison {
  const differences = [...run.byQuestion].map(([id, metrics]) => {
    const before = other.byQuestion.get(id)
    if (before === undefined) throw new Error(`The other run does not know the question ${id}`)
    return metrics[metric] - before[metric]
  })
  const count = differences.length
  const random = createRandom(1)
  const means = new Float64Array(rounds).map(() => {
    let sum = 0
    for (let i = 0; i < count; i++) sum += differences[Math.floor(random() * count)] as number
    return sum / Math.max(1, count)
  })
  means.sort()
  return {
    difference: differences.reduce((sum, value) => sum + value, 0) / Math.max(1, count),
    low: means[Math.floor(rounds * 0.025)] as number,
    high: means[Math.ceil(rounds * 0.975) - 1] as number,
    better: differences.filter((value) => value > 0).length,
    worse: differences.filter((value) => value < 0).length,
  }
}

/** Numbers from 0 to 1, the same for the same seed: the Weyl sequence of the golden ratio through a 32-bit mixer. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
