import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterEach, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { ownerEmail, ownerPassword } from '../../test/dashboard-app.ts'
import { makeAgent, makeUser, type TestUser } from '../../test/factories.ts'

/** Changes are sent at most once a second. */
const patience = { timeout: 10_000, interval: 5 }

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

interface Stream {
  status: number
  headers: IncomingMessage['headers']
  /** Everything received so far. */
  text(): string
  events(): { id: string | undefined; event: string; data: Record<string, unknown> }[]
  /** Resolves when the server has ended the stream. */
  ended: Promise<unknown>
  close(): void
}

async function listen(url: string, headers: Record<string, string>, query = ''): Promise<Stream> {
  const request = get(`${url}/api/events${query}`, { headers })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  response.on('error', () => {})
  const close = () => void request.destroy()
  closing.push(close)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    events: () =>
      text.split('\n\n').flatMap((block) => {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        const event = field('event')
        return event === undefined
          ? []
          : [{ id: field('id'), event, data: JSON.parse(field('data') ?? '') as Record<string, unknown> }]
      }),
    ended: new Promise((done) => void response.once('close', done)),
    close,
  }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

eachDialect('the stream of events', (dialect) => {
  async function start() {
    const test = await startTestApp({ dialect })
    const url = await test.app.listen()
    const user = await makeUser(test)
    return { test, url, user, stream: await listen(url, bearer(user.dashboardToken)) }
  }

  const write = async (test: TestApp, user: TestUser, content = 'A secret heron.') => {
    const key = await makeAgent(test, user)
    expect((await test.call('write-memory', { content }, { key })).status).toBe(201)
  }

  it('is not opened by HEAD, so HEAD doesn’t use up the user’s streams', async () => {
    const { url, user, stream } = await start()
    stream.close()
    for (let time = 0; time < 10; time++) {
      const { status } = await fetch(`${url}/api/events`, { method: 'HEAD', headers: bearer(user.dashboardToken) })
      expect(status).toBe(404)
    }
    const next = await listen(url, bearer(user.dashboardToken))
    expect(next.status).toBe(200)
  })

  it('tells a user, and no one else, immediately that an agent wrote something, without its content', async () => {
    const { test, url, user, stream } = await start()
    const stranger = await makeUser(test)
    const other = await listen(url, bearer(stranger.dashboardToken))
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    await write(test, user)
    await vi.waitFor(() => expect(stream.events().length).toBeGreaterThan(0), patience)
    const told = stream.events().map(({ event, data }) => ({ event, ...data }))
    expect(told).toContainEqual({ event: 'changed', vaultId: user.vaultId, types: ['memories', 'tasks'] })
    expect(stream.text()).not.toContain('heron')
    await write(test, stranger)
    await vi.waitFor(() => expect(other.events().length).toBeGreaterThan(0), patience)
    expect(other.text()).not.toContain(user.vaultId)
    expect(stream.text()).not.toContain(stranger.vaultId)
  })

  it('sends missed changes when a client reconnects, and says so if it cannot know them', async () => {
    const { test, url, user, stream } = await start()
    await write(test, user)
    await vi.waitFor(() => expect(stream.events().length).toBeGreaterThan(0), patience)
    const last = stream.events().at(-1)?.id ?? ''
    stream.close()
    await stream.ended
    await test.call('create-note', { title: 'Herons' }, { key: await makeAgent(test, user) })
    await new Promise((done) => setTimeout(done, 1_200))
    const back = await listen(url, { ...bearer(user.dashboardToken), 'Last-Event-ID': last })
    await vi.waitFor(() => expect(back.events().flatMap(({ data }) => data.types)).toContain('notes'), patience)
    const lost = await listen(url, { ...bearer(user.dashboardToken), 'Last-Event-ID': 'deadbeef-7' })
    await vi.waitFor(() => expect(lost.events()).toMatchObject([{ event: 'missed', data: {} }]), patience)
    expect(lost.events()[0]?.id).toMatch(/^[0-9a-f]{8}-\d+$/)
  })

  it('continues from the id in the session: silent until something changes, complete for a late subscriber', async () => {
    const { test, url, user } = await start()
    const { newsId } = (await test.call('read-session', {}, { key: user.dashboardToken })).body as { newsId: string }
    const quiet = await listen(url, bearer(user.dashboardToken), `?after=${newsId}`)
    await new Promise((done) => setTimeout(done, 200))
    expect(quiet.events()).toEqual([])
    await write(test, user)
    const late = await listen(url, bearer(user.dashboardToken), `?after=${newsId}`)
    for (const stream of [quiet, late])
      await vi.waitFor(() => expect(stream.events().flatMap(({ data }) => data.types)).toContain('memories'), patience)
    expect([quiet, late].flatMap((stream) => stream.events().map(({ event }) => event))).not.toContain('missed')
    const lost = await listen(url, bearer(user.dashboardToken), '?after=deadbeef-7')
    await vi.waitFor(() => expect(lost.events()).toMatchObject([{ event: 'missed', data: {} }]), patience)
    expect(lost.events()[0]?.id).toMatch(/^[0-9a-f]{8}-\d+$/)
  })

  it('accepts only people, with a limited number of streams each', async () => {
    const { test, url, user, stream } = await start()
    for (const headers of [{}, bearer(await makeAgent(test, user)), bearer('hfd_nonsense')])
      expect((await listen(url, headers)).status).toBe(401)
    const more = await Promise.all(Array.from({ length: 8 }, () => listen(url, bearer(user.dashboardToken))))
    expect(more.filter(({ status }) => status === 200)).toHaveLength(7)
    expect(more.filter(({ status }) => status === 429)).toHaveLength(1)
    const stranger = await makeUser(test)
    expect((await listen(url, bearer(stranger.dashboardToken))).status).toBe(200)
    stream.close()
    await vi.waitFor(async () => expect((await listen(url, bearer(user.dashboardToken))).status).toBe(200), patience)
  })

  it('does not keep the server from stopping', async () => {
    const { test, stream } = await start()
    const began = performance.now()
    await test.app.stop()
    await stream.ended
    expect(performance.now() - began).toBeLessThan(3_000)
  })

  it('ends with the session that opened it', async () => {
    const test = await startTestApp({ dialect })
    const url = await test.app.listen()
    const operator = { key: test.app.operatorToken.token }
    const account = { email: ownerEmail, password: ownerPassword }
    const { agentKey } = (await test.call('set-up', account, operator)).body
    const { host } = new URL(url)
    const signIn = async () => {
      const { headers, body } = await test.call('log-in', account, { headers: { host } })
      const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
      return { cookie, 'x-session-key': String(body.sessionKey) }
    }
    const [cookie, otherCookie] = [await signIn(), await signIn()]
    const [stream, other] = [await listen(url, cookie), await listen(url, otherCookie)]
    expect([stream.status, other.status]).toEqual([200, 200])
    await test.call('log-out', {}, { headers: { ...cookie, host, 'x-requested-with': 'test' } })
    await stream.ended
    await test.call('write-memory', { content: 'A secret heron.' }, { key: String(agentKey) })
    await vi.waitFor(() => expect(other.events().flatMap(({ data }) => data.types)).toContain('memories'), patience)
  })
})
