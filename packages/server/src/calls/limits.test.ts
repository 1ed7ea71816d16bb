import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startTestApp, useTestApp, type TestApp } from '../../test/app.ts'
import { eachDialect, onPostgres } from '../../test/dialects.ts'
import { makeAgent, makeUser, makeUserWithAgent } from '../../test/factories.ts'
import { ascending, makeClock, startAgent } from '../../test/scenarios.ts'
import { plainCosines } from '../embeddings/calibration.ts'
import type { EmbeddingProvider } from '../embeddings/provider.ts'
import { embedHashed } from '../embeddings/testing/hashed-ngrams.ts'
import { createLimits } from './limits.ts'

const none = { read: 0, write: 0, search: 0, ingest: 0 }
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status)

const usageOf = async (test: TestApp, dashboardToken: string) =>
  (await test.call('read-usage', { parts: ['units'] }, { key: dashboardToken })).body.units as {
    months: { month: string }[]
  }

describe('requests a minute', () => {
  const clock = makeClock()
  const test = useTestApp({ now: clock.now, config: { rateLimits: { read: 3, write: 2, search: 1, ingest: 2 } } })

  it('end in 429 with a wait after which the next call succeeds, for all keys of a user and no other user', async () => {
    const user = await makeUser(test())
    const [key, other] = [await makeAgent(test(), user), await makeAgent(test(), user)]
    const info = (by: string) => test().call('info', {}, { key: by })
    expect(statusesOf([await info(key), await info(key), await info(other)])).toEqual([200, 200, 200])
    const { status, body, headers } = await info(other)
    expect([status, body]).toEqual([429, { error: 'Too many requests', retryAfter: 61 }])
    expect(headers['retry-after']).toBe('61')
    expect((await info((await makeUserWithAgent(test())).key)).status).toBe(200)
    clock.advance(61_000)
    expect((await info(key)).status).toBe(200)
  })

  it('are counted by class', async () => {
    const { call } = await startAgent(test())
    const write = () => call('write-memory', { content: 'The tide is high at nine.' })
    expect(statusesOf([await write(), await write(), await write()])).toEqual([201, 201, 429])
    const search = () => call('search-memories', { query: 'tide' })
    expect(statusesOf([await search(), await search()])).toEqual([200, 429])
    const track = () => call('session-track', { agentRunId: 'run' })
    expect(statusesOf([await track(), await track(), await track()])).toEqual([200, 200, 429])
    expect((await call('info')).status).toBe(200)
  })

  it('count calls that fail, but not unknown keys or keys without the scope', async () => {
    const user = await makeUser(test())
    const reader = await makeAgent(test(), user, { preset: 'read_only' })
    const write = (key: string, raw: string) => test().call('write-memory', undefined, { key, raw })
    for (let call = 0; call < 5; call++) expect((await write(reader, '{"content":"x"}')).status).toBe(403)
    const key = await makeAgent(test(), user)
    expect(statusesOf([await write(key, '{'), await write(key, '{}'), await write(key, '{')])).toEqual([400, 400, 429])
  })

  it('are checked before the body is read', async () => {
    const { call, key } = await startAgent(test())
    await Promise.all([0, 1].map(() => call('write-memory', { content: 'x' })))
    const raw = `{"content":"${'x'.repeat(2_000_000)}"}`
    expect((await test().call('write-memory', undefined, { key, raw })).status).toBe(429)
  })
})

describe('calls by people', () => {
  it('are limited by a setting of their own, but not those by the operator for them', async () => {
    const clock = makeClock()
    const test = await startTestApp({ now: clock.now, config: { dashboardRateLimit: 4 } })
    const user = await makeUser(test, { isOwner: true })
    const { limits } = test.app.services
    const call = () => limits.admit(user.userId, 'person').then(() => 'done')
    for (let count = 0; count < 3; count++) await call()
    const session = (key: string) => test.call('read-session', {}, { key })
    expect((await session(user.dashboardToken)).status).toBe(200)
    expect((await session(user.dashboardToken)).status).toBe(429)
    expect((await session(test.app.operatorToken.token)).status).toBe(200)
    clock.advance(61_000)
    expect((await session(user.dashboardToken)).status).toBe(200)
  })
})

eachDialect('units a month', (dialect) => {
  const clock = makeClock(Date.parse('2026-11-30T23:59:00.500Z'))
  const test = useTestApp({ dialect, now: clock.now, config: { quotas: { ...none, write: 3 } } })

  it('end in 429 until the end of the month, even with many concurrent calls; failed ones are given back', async () => {
    const { call, user } = await startAgent(test())
    const write = (body: object = { content: 'x' }) => call('write-memory', body)
    for (let failure = 0; failure < 5; failure++) expect((await write({})).status).toBe(400)
    const answers = await Promise.all(Array.from({ length: 8 }, () => write()))
    expect(statusesOf(answers).toSorted(ascending)).toEqual([201, 201, 201, 429, 429, 429, 429, 429])
    const { body, headers } = await write()
    expect(body).toEqual({ error: 'Quota exceeded: you have used all 3 write requests for this month', retryAfter: 60 })
    expect(headers['retry-after']).toBe('60')
    expect((await call('info')).status).toBe(200)
    expect(await usageOf(test(), user.dashboardToken)).toEqual({
      months: [{ month: '2026-11', units: { ...none, write: 3, read: 1 }, embeddingTokens: 0 }],
      quotas: { ...none, write: 3 },
      rates: none,
      resetsAt: '2026-12-01T00:00:00.000Z',
    })
    clock.advance(60_000)
    expect((await write()).status).toBe(201)
    const { months } = await usageOf(test(), user.dashboardToken)
    expect(months.map(({ month }) => month)).toEqual(['2026-12', '2026-11'])
  })

  it('are counted per user', async () => {
    const [ada, bob] = [await startAgent(test()), await startAgent(test())]
    for (let count = 0; count < 4; count++) await ada.call('write-memory', { content: 'x' })
    expect((await bob.call('write-memory', { content: 'x' })).status).toBe(201)
    expect(await usageOf(test(), bob.user.dashboardToken)).toMatchObject({ months: [{ units: { write: 1 } }] })
  })

  it('are summed for the operator', async () => {
    const { body } = await test().call('read-status', {}, { key: test().app.operatorToken.token })
    expect(body.usage).toMatchObject({ write: expect.any(Number), embeddingTokens: 0 })
  })
})

describe('what is counted', () => {
  it('survives a restart, and counts toward the quota after it', async () => {
    const config = { quotas: { ...none, write: 2 } }
    const first = await startTestApp({ config })
    const { call } = await startAgent(first)
    await call('write-memory', { content: 'x' })
    await first.app.services.limits.stop()
    const { limits: fresh } = restarted(first, config)
    const userId = (await call('info')).body.userId as string
    await fresh.admit(userId, 'write')
    await expect(fresh.admit(userId, 'write')).rejects.toThrow('Quota exceeded')
  })

  it('is shared by servers once they have written it', async () => {
    // Nothing is written between the steps.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const config = { quotas: { ...none, write: 4 } }
    const test = await startTestApp({ config })
    const { userId } = await makeUser(test)
    const { limits: second } = restarted(test, config)
    const { limits: first } = test.app.services
    const use = (limits: typeof first) => limits.admit(userId, 'write')
    await use(first)
    await use(second)
    await first.flush()
    await second.flush()
    await use(second)
    await use(second)
    await expect(use(second)).rejects.toThrow('Quota exceeded')
    await second.flush()
    // It learns the other server's counts when it writes its own.
    await use(first)
    await first.flush()
    await expect(use(first)).rejects.toThrow('Quota exceeded')
  })

  it('is kept for the next write if it cannot be written', async () => {
    const test = await startTestApp()
    const { call, user } = await startAgent(test)
    const { db, limits } = test.app.services
    await call('info')
    const write = db.write.bind(db)
    db.write = () => Promise.reject(new Error('planted'))
    await limits.flush()
    db.write = write
    await call('info')
    expect(await usageOf(test, user.dashboardToken)).toMatchObject({ months: [{ units: { read: 2 } }] })
    expect(test.log()).toContain('usage was not written yet')
  })

  it('includes the tokens of embeddings, of writes and searches', async () => {
    const test = await startTestApp()
    test.app.services.embeddings = sevenTokensEach
    const { call, user } = await startAgent(test)
    await call('write-memory', { content: 'The tide is high at nine.' })
    expect((await call('search-memories', { query: 'tide' })).status).toBe(200)
    expect(await usageOf(test, user.dashboardToken)).toMatchObject({
      months: [{ units: { write: 1, search: 1 }, embeddingTokens: 14 }],
    })
  })
})

onPostgres('servers on one database', (dialect) => {
  it('share a limit by themselves, within a second or two', async () => {
    const rateLimits = { ...none, read: 50 }
    const test = await startTestApp({ dialect, config: { rateLimits } })
    const { userId } = await makeUser(test)
    const { db, log, now, limits: first } = test.app.services
    const second = createLimits({ db, rateLimits, dashboardRateLimit: 0, quotas: none, log, now })
    onTestFinished(() => second.stop())
    const ask = (limits: typeof first) =>
      limits.admit(userId, 'read').then(
        () => 'done',
        (error: Error) => error.message,
      )
    for (let call = 0; call < 49; call++) expect(await ask(first)).toBe('done')
    expect(await ask(second)).toBe('done')
    // Too few to reach the limit alone.
    await expect.poll(() => ask(second), { interval: 500 }).toBe('Too many requests')
  })
})

/** Reports seven tokens for each text. */
const sevenTokensEach: EmbeddingProvider = {
  id: 'seven',
  dims: 256,
  calibration: plainCosines,
  isMeanOfWords: false,
  maxTokens: undefined,
  maxInputChars: 1000,
  batchSize: 16,
  embed: async (texts) => ({
    vectors: texts.map((text) => Float32Array.from(embedHashed(text))),
    tokens: 7 * texts.length,
  }),
}

/** The limits of another process with the same database. */
function restarted(test: TestApp, { quotas }: { quotas: typeof none }) {
  const { db, log, now } = test.app.services
  return { limits: createLimits({ db, rateLimits: none, dashboardRateLimit: 0, quotas, log, now }) }
}
