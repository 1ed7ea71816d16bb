import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ask, writeSet, type Asking, type Call } from '../packages/server/test/search-quality/ask-set.ts'
import { readLines, readSet, type LabelledSet } from '../packages/server/test/search-quality/labelled-set.ts'
import { scoreRun, type Answer } from '../packages/server/test/search-quality/score.ts'
import { createClient } from './http-client.ts'
import { describeComparison, describeScore, shortfalls } from './quality-report.ts'
import { readNumber } from './read-number.ts'
import { startBenchServer, type BenchEmbeddings } from './server.ts'
import { timeCalls } from './timed-calls.ts'

/**
 * node bench/quality.ts --set <folder> [--embeddings static|none|env] [--leg all|words|semantic] [--top 50] [--threshold 0.4]
 *   [--out run.jsonl] [--vs other.jsonl] [--json] [--min-recall10 65] [--min-ndcg10 51] [--min-all10 0]
 *
 * Starts a server, writes a labelled set to it through HTTP (one vault per group), asks the questions and scores the answers.
 * Progress goes to stderr. Exits with 1 if a figure (in percent) is below its minimum.
 */
const { values } = parseArgs({
  options: {
    set: { type: 'string' },
    embeddings: { type: 'string', default: 'static' },
    leg: { type: 'string', default: 'all' },
    top: { type: 'string', default: '50' },
    threshold: { type: 'string' },
    out: { type: 'string' },
    vs: { type: 'string' },
    json: { type: 'boolean', default: false },
    'min-recall10': { type: 'string', default: '0' },
    'min-ndcg10': { type: 'string', default: '0' },
    'min-all10': { type: 'string', default: '0' },
  },
})
if (values.set === undefined)
  throw new TypeError('Pass --set <folder>, for example --set packages/server/test/search-quality/set')
const leg = oneOf('leg', values.leg, ['all', 'words', 'semantic'])
const embeddings: BenchEmbeddings =
  leg === 'words' ? 'none' : oneOf('embeddings', values.embeddings, ['static', 'none', 'env'])
let holes = 0
const asking: Asking = {
  onGap: () => void holes++,
  leg: leg === 'semantic' ? 'semantic' : 'all',
  topK: readNumber('top', values.top, { least: 1, most: 50 }),
  threshold:
    values.threshold === undefined ? undefined : readNumber('threshold', values.threshold, { least: 0, most: 1 }),
}
const minima = {
  'recall@10': readNumber('min-recall10', values['min-recall10'], { least: 0, most: 100 }),
  'ndcg@10': readNumber('min-ndcg10', values['min-ndcg10'], { least: 0, most: 100 }),
  'all@10': readNumber('min-all10', values['min-all10'], { least: 0, most: 100 }),
}
const set = readSet(resolve(values.set))
const connections = 8

const run = await askServer(set)
if (holes > 0)
  process.stderr.write(
    `${holes} questions miss one of the ten memories closest in meaning, because no search returned it. Their figures are too low.\n`,
  )
if (values.out !== undefined) writeFileSync(values.out, run.map((answer) => `${JSON.stringify(answer)}\n`).join(''))
const score = scoreRun(set, run)
const other = values.vs === undefined ? undefined : scoreRun(set, readLines<Answer>(values.vs))
const conditions = { set: set.name, embeddings, leg, top: asking.topK, threshold: asking.threshold ?? 'default' }
if (values.json) {
  const { overall, kinds, answered, abstained } = score
  process.stdout.write(`${JSON.stringify({ ...conditions, overall, kinds, answered, abstained })}\n`)
} else {
  process.stdout.write(`${describeScore(score, asking.topK)}\n`)
}
if (other !== undefined) (values.json ? process.stderr : process.stdout).write(`${describeComparison(score, other)}\n`)
const tooLow = shortfalls(score, minima)
for (const line of tooLow) process.stderr.write(`${line}\n`)
process.exitCode = tooLow.length === 0 ? 0 : 1

function oneOf<T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value)
  if (found === undefined) throw new TypeError(`--${name} must be ${known.join(' or ')}, not ${value}`)
  return found
}

async function askServer({ items, questions }: LabelledSet): Promise<Answer[]> {
  const server = await startBenchServer({ embeddings })
  const client = createClient(server.url, server.agentKey, connections)
  const call: Call = (operation, body) => client.post(`/api/agent/${operation}`, body)
  try {
    const start = performance.now()
    const onWritten = progress(items.length, 'items written')
    const written = await writeSet(call, set, onWritten)
    const asked = performance.now()
    const onAnswered = progress(questions.length, 'questions answered')
    const answers: Answer[] = []
    const { times } = await timeCalls(questions.length, 1, async (number) => {
      const question = questions[number]
      if (question !== undefined) answers.push(await ask(call, written, question, asking))
      onAnswered()
    })
    const end = performance.now()
    process.stderr.write(
      `${set.name}: ${items.length} items written in ${seconds(asked - start)}, ${questions.length} questions answered in ` +
        `${seconds(end - asked)} (p50 ${times.p50.toFixed(1)} ms, p95 ${times.p95.toFixed(1)} ms)\n`,
    )
    return answers
  } finally {
    client.close()
    await server.stop()
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

/** Prints a line at each 10 %. */
function progress(count: number, what: string): () => void {
  let done = 0
  return () => {
    const tenths = Math.floor((10 * done) / count)
    done++
    if (Math.floor((10 * done) / count) > tenths) process.stderr.write(`${done} of ${count} ${what}\n`)
  }
}
