import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '../../src/api/registry.ts'
import { createApp, type App } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { makeUserWithAgent } from '../factories.ts'
import { ask, writeSet, type Call, type Leg } from './ask-set.ts'
import { readSet, type LabelledSet } from './labelled-set.ts'
import { runBm25 } from './plain-bm25.ts'
import { scoreRun, type Answer, type RunScore } from './score.ts'

/** What an agent gets by default. */
const topK = 10

/** The suite's own set. */
export const readSuite = (): LabelledSet => readSet(join(import.meta.dirname, 'set'))

/** hybrid: as users search. words: a server without embeddings. semantic: only vectors. bm25: the baseline. */
export type Method = 'hybrid' | 'words' | 'semantic' | 'bm25'

export type SuiteScores = Record<Method, RunScore>

/** Runs the suite on whole servers in this process, one with the built-in model and one without embeddings. */
export async function measureSuite(set: LabelledSet): Promise<SuiteScores> {
  const { all: hybrid, semantic } = await runServer(set, 'static', ['all', 'semantic'])
  const { all: words } = await runServer(set, 'none', ['all'])
  return {
    hybrid: scoreRun(set, hybrid),
    words: scoreRun(set, words),
    semantic: scoreRun(set, semantic),
    bm25: scoreRun(set, runBm25(set, topK)),
  }
}

async function runServer(set: LabelledSet, embeddings: string, legs: readonly Leg[]): Promise<Record<Leg, Answer[]>> {
  const folders = await Promise.all(
    ['data', 'keys'].map((name) => mkdtemp(join(tmpdir(), `holdfast-quality-${name}-`))),
  )
  const [dataDir = '', keyDir = ''] = folders
  const app = await startApp(dataDir, keyDir, embeddings)
  const runs: Record<Leg, Answer[]> = { all: [], semantic: [] }
  try {
    // The default name of the first agent: items without a speaker are found by the words of this name.
    const { key } = await makeUserWithAgent({ app }, { label: 'First agent' })
    const call = callerOf(app, key)
    const written = await writeSet(call, set)
    for (const leg of legs)
      for (const question of set.questions) runs[leg].push(await ask(call, written, question, { leg, topK }))
  } finally {
    await app.stop()
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  }
  return runs
}

/** Settings are those of users, except for the rate limits. */
function startApp(dataDir: string, keyDir: string, embeddings: string): Promise<App> {
  const config = readConfig({
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_KEY_DIR: keyDir,
    HOLDFAST_EMBEDDINGS: embeddings,
    HOLDFAST_LOG_LEVEL: 'silent',
    HOLDFAST_RATE_LIMIT_WRITE: '0',
    HOLDFAST_RATE_LIMIT_SEARCH: '0',
  })
  // Jobs would change nothing, and run by the clock.
  return createApp(config, { runsJobs: false })
}

/** Tries again if a busy server rejects a call, because other tests also use the machine. */
const callerOf =
  ({ server }: App, key: string): Call =>
  async <T>(name: string, body: object) => {
    const url = routes.find((operation) => operation.name === name)?.path
    if (url === undefined) throw new Error(`There is no operation ${name}`)
    const headers = { authorization: `Bearer ${key}` }
    for (let attempt = 1; ; attempt++) {
      const response = await server.inject({ method: 'POST', url, headers, payload: body })
      if (response.statusCode < 300) return response.json<T>()
      if (response.statusCode !== 503 || attempt === maxAttempts)
        throw new Error(`${name} answered ${response.statusCode}: ${response.payload}`)
      await sleep(1_000 * Number(response.headers['retry-after'] ?? 1))
    }
  }

const maxAttempts = 10
