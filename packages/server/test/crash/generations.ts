// A server's model is changed and changed back while clients write and search, and the server is killed while it embeds the records
// again. Every answer is checked: each record is found by its words at any time, each similarity is one of two vectors of the current
// model, and missing vectors are reported.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { findRunningServer } from '../../src/auth/operator-token.ts'
import { createStaticProvider } from '../../src/embeddings/static-model.ts'
import type { FakeEndpoint } from '../../src/embeddings/testing/fake-endpoint.ts'
import { embedHashed } from '../../src/embeddings/testing/hashed-ngrams.ts'
import type { FreshStore } from '../dialects.ts'
import { agentOf, send, wordFor, type Agent } from './agent.ts'
import { setUp, siteFor, startServer, type RunningServer, type Site } from './server-process.ts'

export interface Outcome {
  searches: number
  /** Searches that reported records without vectors. */
  degraded: number
  /** Texts other than questions that the endpoint received, for that many records. */
  embedded: number
  records: number
}

type Similarity = (query: string, content: string) => Promise<number>

interface World {
  site: Site
  agentKey: string
  contents: Map<string, string>
  outcome: Outcome
}

const subjects = ['harbour', 'violin', 'glacier', 'ledger', 'kitten', 'payment', 'meeting', 'garden']

const contentOf = (number: number) =>
  `${wordFor(number)} tells of the ${subjects[number % 8]} that ${subjects[(number >> 3) % 8]} number ${number} belongs to`

/** Fills a database, changes from the built-in model to the endpoint's and back, each time with a kill in between. */
export async function changeModels(
  store: FreshStore,
  endpoint: FakeEndpoint,
  { memories, clients }: { memories: number; clients: number },
): Promise<Outcome> {
  const site = siteFor(store)
  const { agentKey } = await setUp(site)
  const world: World = {
    site,
    agentKey,
    contents: new Map(),
    outcome: { searches: 0, degraded: 0, embedded: 0, records: 0 },
  }
  const server = await startServer(site)
  const agent = agentOf(server, agentKey)
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let number = client; number < memories; number += clients) await write(world, agent, number)
    }),
  )
  await server.kill('SIGTERM')

  const hosted = {
    HOLDFAST_EMBEDDINGS: 'openai',
    HOLDFAST_EMBEDDINGS_URL: endpoint.url,
    HOLDFAST_EMBEDDINGS_MODEL: 'm',
  }
  await useModel(world, hosted, hashedSimilarity)
  world.outcome.records = world.contents.size
  world.outcome.embedded = endpoint.seen.flatMap(({ body }) => body.input).filter((text) => !text.includes('?')).length
  await useModel(world, { HOLDFAST_EMBEDDINGS: 'static' }, staticSimilarity())
  return world.outcome
}

/** Tries again if the server is busy, as it asks: this is a load test on machines of any kind. */
async function ask(agent: Agent, operation: string, request: object): Promise<Record<string, unknown>> {
  const { status, body } = await agent(operation, request)
  if (status === 503 && /too many requests/.test(String(body['error']))) {
    await sleep(500)
    return ask(agent, operation, request)
  }
  expect([200, 201], JSON.stringify(body)).toContain(status)
  return body
}

async function write({ contents }: World, agent: Agent, number: number): Promise<void> {
  const content = contentOf(number)
  const body = await ask(agent, 'write-memory', { content })
  contents.set(String(body['memoryId']), content)
}

/** Serves with the model, under load and with a kill after a third is embedded, until every record has its vectors. */
async function useModel(world: World, env: Record<string, string>, similarity: Similarity): Promise<void> {
  const site = { ...world.site, env: { ...world.site.env, ...env } }
  let server = await startServer(site)
  await underLoad(world, server, similarity, (done, all) => done >= all / 3)
  await server.kill('SIGKILL')
  server = await startServer(site)
  await underLoad(world, server, similarity, (done, all) => done === all)
  await checkAll(world, server, similarity)
  await server.kill('SIGTERM')
}

/** Two clients search and one writes until `isEnough` of the records have vectors. */
async function underLoad(
  world: World,
  server: RunningServer,
  similarity: Similarity,
  isEnough: (done: number, all: number) => boolean,
): Promise<void> {
  const agent = agentOf(server, world.agentKey)
  const over = new AbortController()
  const searching = Array.from({ length: 2 }, async () => {
    while (!over.signal.aborted) {
      await search(world, agent, similarity)
      await sleep(5)
    }
  })
  const writing = (async () => {
    while (!over.signal.aborted) {
      await write(world, agent, world.contents.size)
      await sleep(20)
    }
  })()
  try {
    await pollStatus(world.site, server, isEnough)
  } finally {
    over.abort()
    await Promise.all([...searching, writing])
  }
}

/** Searches for one memory by its word, so it is found by words whatever vectors exist. */
async function search(world: World, agent: Agent, similarity: Similarity): Promise<void> {
  const known = [...world.contents]
  const [id, content] = known[Math.floor(Math.random() * known.length)] ?? ['', '']
  const query = `Where is the ${content.split(' ')[0]} of the ${content.split(' ')[4]}?`
  const body = await ask(agent, 'search-memories', { query, topK: 5, threshold: 0 })
  const hits = body['memories'] as { memoryId: string; content: string; similarity: number | null }[]
  expect(hits.map(({ memoryId }) => memoryId)).toContain(id)
  for (const hit of hits.filter((found) => found.similarity !== null))
    expect(Math.abs(Number(hit.similarity) - (await similarity(query, hit.content))), query).toBeLessThan(0.03)
  world.outcome.searches++
  const reasons = (body['degraded'] as { reason: string }[]).map(({ reason }) => reason)
  if (reasons.some((reason) => reason.includes('no vectors'))) world.outcome.degraded++
  // The endpoint may be slower than a search waits; nothing else may be wrong.
  expect(reasons.filter((reason) => !/no vectors of this model yet|did not answer \(timeout\)/.test(reason))).toEqual(
    [],
  )
}

/** Once everything is embedded: every memory exists, and is found only by meaning, with vectors of the current model only. */
async function checkAll(world: World, server: RunningServer, similarity: Similarity): Promise<void> {
  const agent = agentOf(server, world.agentKey)
  // The last writes under load may wait for the next run of the job.
  await pollStatus(world.site, server, (done, all) => done === all)
  const every = Math.ceil(world.contents.size / 200)
  const sample = [...world.contents].filter((_, at) => at % every === 0)
  for (const [id, content] of sample) {
    const body = await ask(agent, 'search-memories', { query: content, topK: 3, threshold: 0.9 })
    expect(body).toMatchObject({ degraded: [], searchMode: 'hybrid' })
    expect(body['memories']).toContainEqual(
      expect.objectContaining({ memoryId: id, matchSources: expect.arrayContaining(['semantic']) }),
    )
  }
  for (let round = 0; round < 20; round++) await search(world, agent, similarity)
}

async function pollStatus(
  site: Site,
  server: RunningServer,
  isEnough: (done: number, all: number) => boolean,
): Promise<void> {
  for (;;) {
    const { records, vectorsMissing } = await statusOf(site, server)
    if (isEnough(records - vectorsMissing, records)) return
    await sleep(50)
  }
}

async function statusOf(
  { dataDir }: Site,
  server: RunningServer,
): Promise<{ records: number; vectorsMissing: number }> {
  const { token } = findRunningServer(dataDir) ?? { token: '' }
  const agent: Agent = () => send(server, token, '/api/operator/status', { method: 'GET' })
  return (await ask(agent, 'read-status', {})) as unknown as { records: number; vectorsMissing: number }
}

const unit = (numbers: ArrayLike<number>) => {
  const length = Math.hypot(...Array.from(numbers))
  return Array.from(numbers, (number) => number / length)
}
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

const hashedSimilarity: Similarity = async (query, content) =>
  Math.max(0, dot(unit(embedHashed(query)), unit(embedHashed(content))))

function staticSimilarity(): Similarity {
  const provider = createStaticProvider()
  return async (query, content) => {
    const { vectors } = await provider.embed([query, content], 'document')
    const [a = [], b = []] = vectors.map((vector) => Array.from(vector ?? []))
    return provider.calibration.toSimilarity(dot(a, b))
  }
}
