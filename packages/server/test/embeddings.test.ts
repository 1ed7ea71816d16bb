import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProvider } from '../src/embeddings/create-provider.ts'
import { sendJson } from '../src/core/testing/json-server.ts'
import {
  goodAnswer,
  startFakeEndpoint,
  type FakeEndpoint,
  type Respond,
} from '../src/embeddings/testing/fake-endpoint.ts'
import { writeTinyModel } from '../src/embeddings/testing/tiny-model.ts'
import { backfillVectors } from '../src/jobs/backfill-vectors.ts'
import { startTestApp, type TestApp } from './app.ts'
import { eachDialect, type TestDialect } from './dialects.ts'
import { inLongRun, measured } from './promises/measured.ts'
import { makeClock, startAgent, type TestAgent } from './scenarios.ts'

/** Embeddings in the whole server: problems of the provider cost vectors, and nothing else. */

async function startEndpoint(): Promise<FakeEndpoint> {
  const endpoint = await startFakeEndpoint()
  onTestFinished(() => endpoint.close())
  return endpoint
}

const settingsOf = ({ url }: { url: string }, model = 'm1') =>
  ({ provider: 'openai', url, key: undefined, model }) as const

/** Forgets what was learned about a failed provider, like a restart, and embeds what is missing. */
async function fillIn({ app }: TestApp): Promise<void> {
  const { embeddings } = app.services
  if (embeddings === undefined) throw new Error('there is no provider')
  await backfillVectors(app.services, embeddings).run(new AbortController().signal)
}

const waiting = async ({ app }: TestApp): Promise<number> =>
  (await app.services.db.read.selectFrom('indexEntries').select('itemId').where('vectorsMissing', '=', 1).execute())
    .length

function tinyModelFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-model-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeTinyModel(folder)
  return folder
}

const withoutDim = (input: readonly string[]) => {
  const answer = goodAnswer(input)
  return { ...answer, data: answer.data.map((item) => ({ ...item, embedding: item.embedding.slice(1) })) }
}

const faults: [name: string, respond: Respond][] = [
  ['is down', (_, response) => void response.destroy()],
  ['is overloaded', (_, response) => void response.writeHead(503).end()],
  ['asks to stay away', (_, response) => void response.writeHead(429, { 'retry-after': '1' }).end('slow down')],
  ['refuses everything', (_, response) => void response.writeHead(400).end('{"error":"Invalid model identifier"}')],
  ['always has an error of its own', (_, response) => void response.writeHead(500).end()],
  ['answers garbage', (_, response) => void response.end('<html>{"data": ')],
  [
    'answers half',
    (_, response) => void (response.writeHead(200, { 'content-length': 5000 }).write('{"data": ['), response.destroy()),
  ],
  ['gives vectors of another length', ({ body }, response) => sendJson(response, withoutDim(body.input))],
  ['leaves vectors out', ({ body }, response) => sendJson(response, { ...goodAnswer(body.input), data: [] })],
  [
    'gives what is no number',
    ({ body }, response) =>
      response.end(JSON.stringify(goodAnswer(body.input)).replace(/"embedding":\[[^,]+/, '"embedding":[NaN')),
  ],
  [
    'gives zeros alone',
    ({ body }, response) =>
      sendJson(response, { data: body.input.map((_, index) => ({ index, embedding: Array(256).fill(0) })) }),
  ],
]

async function startWith(
  dialect: TestDialect | undefined,
  endpoint: FakeEndpoint,
): Promise<{ test: TestApp; agent: TestAgent }> {
  const test = await startTestApp({
    ...(dialect && { dialect }),
    config: { embeddings: settingsOf(endpoint) },
    runsJobs: false,
  })
  return { test, agent: await startAgent(test) }
}

eachDialect('a provider that', (dialect) => {
  it.each(faults)('%s loses no write and no answer, and delays only the vectors', async (_, respond) => {
    const endpoint = await startEndpoint()
    const { test, agent } = await startWith(dialect, endpoint)
    const before = await agent.write('The harbour lies north of the town.')
    endpoint.respond = respond
    const during = await agent.write('The violin is in the ledger room.')
    const note = await agent.call('create-note', { title: 'Glacier', content: 'It calves in spring.' })
    expect(note.status).toBe(201)
    const edited = await agent.call('update-memory', {
      memoryId: before,
      content: 'The harbour lies south of the town.',
    })
    expect(edited.status).toBe(200)
    expect(await waiting(test)).toBe(3)
    const { body } = await agent.call('search-memories', { query: 'where is the violin' })
    expect(body).toMatchObject({
      searchMode: 'blind_only',
      degraded: expect.arrayContaining([{ leg: 'semantic', reason: expect.any(String) }]),
    })
    expect((body.memories as { memoryId: string }[])[0]?.memoryId).toBe(during)
    expect(test.log()).not.toMatch(/violin|harbour|calves/)

    endpoint.reset()
    // The breaker stays open for a second after each failure that opened it.
    await expect.poll(async () => (await fillIn(test), waiting(test)), { interval: 200 }).toBe(0)
    const after = await agent.call('search-memories', { query: 'where is the violin', threshold: 0 })
    expect(after.body).toMatchObject({ searchMode: 'hybrid', degraded: [], semanticMatchCount: 2 })
  })

  /** Responds with `respond` to texts about the violin. */
  const startWithBadText = async (respond: Respond) => {
    const endpoint = await startEndpoint()
    endpoint.respond = (seen, response) => {
      if (seen.body.input.some((text) => text.includes('violin'))) return respond(seen, response)
      sendJson(response, goodAnswer(seen.body.input))
    }
    const started = await startWith(dialect, endpoint)
    await started.agent.write('The harbour lies north of the town.')
    await started.agent.write('The violin is in the ledger room.')
    const search = async () =>
      (await started.agent.call('search-memories', { query: 'where is the harbour', threshold: 0 })).body
    return { ...started, endpoint, search }
  }

  it('refuses one text loses only that text’s vector, and searches don’t mention it', async () => {
    const { test, search } = await startWithBadText((_, response) => void response.writeHead(400).end())
    expect(await waiting(test)).toBe(0)
    expect(await search()).toMatchObject({ searchMode: 'hybrid', degraded: [], semanticMatchCount: 1 })
  })

  it.each<[string, Respond]>([
    ['NaN', (_, response) => void response.end('{"data":[{"index":0,"embedding":[NaN,NaN]}]}')],
    ['an error', (_, response) => void response.writeHead(500).end()],
  ])('returns %s for one text delays only that text’s vector', async (_, respond) => {
    const { test, endpoint, search } = await startWithBadText(respond)
    for (let round = 0; round < 3; round++) await fillIn(test)
    expect(await waiting(test)).toBe(1)
    expect(await search()).toMatchObject({
      searchMode: 'hybrid',
      degraded: [{ leg: 'semantic', reason: 'some records have no vectors of this model yet' }],
      semanticMatchCount: 1,
    })
    endpoint.reset()
    await fillIn(test)
    expect(await waiting(test)).toBe(0)
    expect(await search()).toMatchObject({ searchMode: 'hybrid', degraded: [], semanticMatchCount: 2 })
  })
})

it('a provider that is down for long loses no write and no answer, and afterwards every record has its vector', async () => {
  const endpoint = await startEndpoint()
  const clock = makeClock(Date.now())
  const test = await startTestApp({ config: { embeddings: settingsOf(endpoint) }, now: clock.now, runsJobs: false })
  const agent = await startAgent(test)
  endpoint.respond = (_, response) => void response.destroy()
  const minutes = inLongRun(60, 3)
  for (let minute = 0; minute < minutes; minute++) {
    clock.advance(60_000)
    const memoryId = await agent.write(`Minute ${minute} mentions the zeppelin${minute}.`)
    expect(await agent.search(`zeppelin${minute}`)).toEqual([memoryId])
  }
  expect(await waiting(test)).toBe(minutes)
  endpoint.reset()
  // The circuit breaker waits before it asks again.
  const missing = async () => {
    await fillIn(test)
    return waiting(test)
  }
  await expect.poll(missing, { timeout: 50_000, interval: 500 }).toBe(0)
  measured({ minutes, writes: minutes, lost: 0, searches: minutes, 'without a vector afterwards': 0 })
})

it('a slow provider delays a write and a search by their time limit, and no more', async () => {
  const endpoint = await startEndpoint()
  const { test, agent } = await startWith(undefined, endpoint)
  endpoint.respond = () => {}
  const began = performance.now()
  await agent.write('The violin is in the ledger room.')
  expect(performance.now() - began).toBeLessThan(8000)
  const asked = performance.now()
  const { body } = await agent.call('search-memories', { query: 'where is the violin' })
  expect(performance.now() - asked).toBeLessThan(3000)
  expect(body).toMatchObject({ searchMode: 'blind_only' })
  expect(body.memories).toHaveLength(1)
  endpoint.reset()
  await fillIn(test)
  expect(await waiting(test)).toBe(0)
})

describe('at startup', () => {
  const readiness = async ({ app }: TestApp) => (await app.server.inject({ url: '/readyz' })).json<unknown>()
  const statusOf = async ({ app }: TestApp) =>
    (
      await app.server.inject({
        url: '/api/operator/status',
        headers: { authorization: `Bearer ${app.operatorToken.token}` },
      })
    ).json<unknown>()

  it('checks the built-in model, is ready and says so', async () => {
    const test = await startTestApp({ config: { embeddings: { provider: 'static' } } })
    await expect.poll(() => test.app.services.embeddings?.dims).toBe(256)
    expect(await readiness(test)).toEqual({ status: 'ready', degraded: [] })
    expect(await statusOf(test)).toMatchObject({ embeddings: 'static/holdfast-256-1', embeddingsFailure: null })
    const agent = await startAgent(test)
    await agent.write('A kitten sleeps on the sofa.')
    const { body } = await agent.call('search-memories', { query: 'Where does the cat nap?' })
    expect(body).toMatchObject({ searchMode: 'hybrid', degraded: [], semanticMatchCount: 1 })
  })

  it('reports an unreachable provider in log, readiness and status, until it responds', async () => {
    const endpoint = await startEndpoint()
    endpoint.respond = (_, response) => void response.writeHead(401).end()
    const test = await startTestApp({ config: { embeddings: settingsOf(endpoint) } })
    await expect.poll(() => test.log()).toContain('embedding provider unreachable')
    expect(await readiness(test)).toEqual({ status: 'ready', degraded: ['embeddings'] })
    expect(await statusOf(test)).toMatchObject({
      embeddingsFailure: { code: 'http_401', advice: expect.stringContaining('HOLDFAST_EMBEDDINGS_KEY') },
    })
    endpoint.reset()
    await test.app.services.embeddings?.embed(['text'], 'document')
    expect(await readiness(test)).toEqual({ status: 'ready', degraded: [] })
    expect(await statusOf(test)).toMatchObject({ embeddingsFailure: null })
  })

  it('reports a provider that rejects every text', async () => {
    const endpoint = await startEndpoint()
    endpoint.respond = (_, response) => void response.writeHead(400).end()
    const test = await startTestApp({ config: { embeddings: settingsOf(endpoint) } })
    await expect.poll(() => test.log()).toContain('embedding provider unreachable')
    expect(await readiness(test)).toEqual({ status: 'ready', degraded: ['embeddings'] })
    expect(await statusOf(test)).toMatchObject({
      embeddingsFailure: { code: 'http_400', advice: expect.stringContaining('HOLDFAST_EMBEDDINGS_MODEL') },
    })
  })

  it.each([
    ['package_missing', 'npm install'],
    ['model_folder', 'tokenizer.json'],
  ])('says what is expected if a model in a folder is missing (%s)', async (code, words) => {
    const folder = code === 'model_folder' ? '/nowhere/at/all' : tinyModelFolder()
    const test = await startTestApp({ config: { embeddings: { provider: 'transformers', folder } } })
    await expect.poll(() => test.log()).toContain(code)
    expect(test.log()).toContain(words)
    const agent = await startAgent(test)
    await agent.write('Stored all the same.')
    expect(await waiting(test)).toBe(1)
  })
})

eachDialect('a model that gets other prefixes', (dialect) => {
  it('is compared with no vectors from before, and all records are embedded again', async () => {
    const endpoint = await startEndpoint()
    const { test, agent } = await startWith(dialect, endpoint)
    await agent.write('The harbour lies north.')
    const next = createProvider({ ...settingsOf(endpoint), prefixes: { query: 'ask: ', document: 'say: ' } })
    Object.assign(test.app.services, { embeddings: next })
    const search = async () => (await agent.call('search-memories', { query: 'harbour', threshold: 0 })).body
    expect(await search()).toMatchObject({ semanticMatchCount: 0 })
    await fillIn(test)
    expect(endpoint.seen.at(-1)?.body.input).toEqual(['say: The harbour lies north.'])
    expect(await search()).toMatchObject({ degraded: [], semanticMatchCount: 1 })
    expect(endpoint.seen.flatMap(({ body }) => body.input)).toContain('ask: harbour')
  })
})

eachDialect('a model with the same name whose vectors have another length', (dialect) => {
  it('is logged, compared with no earlier vectors, and all records are embedded again', async () => {
    const endpoint = await startEndpoint()
    const { test, agent } = await startWith(dialect, endpoint)
    const ids = [await agent.write('The harbour lies north.'), await agent.write('The violin is in the ledger room.')]
    const { services } = test.app
    // A newly started server doesn't know any length yet.
    const next = createProvider(settingsOf(endpoint))
    Object.assign(services, { embeddings: next })
    endpoint.respond = ({ body }, response) => sendJson(response, goodAnswer(body.input, 128))
    const before = await agent.call('search-memories', { query: 'violin harbour', threshold: 0 })
    expect(before.body).toMatchObject({
      semanticMatchCount: 0,
      degraded: [{ leg: 'semantic', reason: 'some records have no vectors of this model yet' }],
    })
    await fillIn(test)
    expect(test.log()).toContain('another length than the stored ones')
    expect(await waiting(test)).toBe(0)
    const { body } = await agent.call('search-memories', { query: 'violin harbour', threshold: 0 })
    expect(body).toMatchObject({ degraded: [], semanticMatchCount: ids.length })
    expect(next?.dims).toBe(128)
  })
})
