import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PassThrough } from 'node:stream'
import type { Authenticator } from '../auth/authenticate.ts'
import { rateLimited } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Limits } from '../calls/limits.ts'
import type { ChangeNews, News } from '../calls/news.ts'
import type { Reader } from '../db/dialect.ts'
import { credentialsOf, single } from './http.ts'
import { createSharedNews } from './shared-news.ts'
import { changeTypes } from '../calls/call.ts'

/** Announces changes as they happen, in a stream of server-sent events. It contains vault ids and record types, never content. */
export interface EventOptions {
  authenticator: Authenticator
  db: Reader
  limits: Limits
  news: News
  log: Log
  isSecure: boolean
}

/** Streams per person. A browser has one. */
const maxStreamsPerPerson = 8
const retryAfterSeconds = 30
/** Proxies close silent connections, some after half a minute. */
const heartbeatMs = 15_000
/** Clients that fall further behind are disconnected, because they aren't reading. */
const maxBufferedBytes = 256 * 1024

interface Listening {
  userId: string
  stream: PassThrough
  /** Whether the credential is still valid. */
  isStillAllowed(): Promise<boolean>
}

/** Ends the stream of a session that was revoked. */
const endUnlessAllowed = ({ isStillAllowed, stream }: Listening, log: Log): void =>
  void isStillAllowed().then(
    (is) => (is ? undefined : stream.end()),
    // The store is unavailable; the next heartbeat asks again.
    (error: unknown) => log.debug('a listener could not be looked up', { error }),
  )

export function addEvents(server: FastifyInstance, options: EventOptions): { close(): void } {
  const { authenticator, db, limits, news, log, isSecure } = options
  const open = new Set<Listening>()
  let isClosed = false
  const beat = setInterval(() => {
    for (const listening of open) {
      listening.stream.write(':\n\n')
      endUnlessAllowed(listening, log)
    }
  }, heartbeatMs).unref()

  function listen(request: FastifyRequest, userId: string): PassThrough {
    const stream = new PassThrough()
    const credentials = credentialsOf(request, isSecure)
    const listening = { userId, stream, isStillAllowed: () => authenticator.isStillValid(credentials) }
    const write = (one: ChangeNews) =>
      void (stream.writableLength > maxBufferedBytes ? stream.destroy() : stream.write(printNews(one)))
    const shared = createSharedNews({ db, news, log }, userId, write)
    const tell = (one: ChangeNews) => {
      write(one)
      if (one.types.includes('account')) endUnlessAllowed(listening, log)
      // A vault may be shared with this person now.
      if (one.types.includes('vaults')) shared.follow()
    }
    const { missed, leave } = news.listen(userId, tell, lastHeard(request))
    open.add(listening)
    stream.once('close', () => {
      leave()
      shared.leave()
      open.delete(listening)
    })
    shared.begin()
    stream.write(missed === undefined ? `${hello}id: ${news.latestId(userId)}\nevent: missed\ndata: {}\n\n` : hello)
    for (const one of missed ?? []) stream.write(printNews(one))
    if (isClosed) stream.end()
    return stream
  }

  // HEAD would open a stream that is never read, so it would never end.
  server.get(eventsPath, { exposeHeadRoute: false }, async (request, reply) => {
    const { userId } = await authenticator.person(credentialsOf(request, isSecure))
    await limits.admit(userId, 'person')
    const own = [...open].filter((listening) => listening.userId === userId)
    if (own.length >= maxStreamsPerPerson) throw rateLimited(retryAfterSeconds)
    void reply.header('Content-Type', 'text/event-stream').header('X-Accel-Buffering', 'no')
    return reply.send(listen(request, userId))
  })

  return {
    close() {
      isClosed = true
      clearInterval(beat)
      for (const { stream } of open) stream.end()
    },
  }
}

/** From the header that browsers send when they reconnect, or from the URL, the only thing that a page can set when it connects. */
const lastHeard = ({ headers, url }: FastifyRequest) =>
  single(headers['last-event-id']) ?? new URLSearchParams(url.split('?')[1]).get('after') ?? undefined

// Also sets the delay before a reconnect.
const hello = 'retry: 3000\n\n'

const printNews = ({ id, vaultId, types }: ChangeNews) =>
  `id: ${id}\nevent: changed\ndata: ${JSON.stringify({ vaultId, types })}\n\n`

export const eventsPath = '/api/events'

/** The OpenAPI description of the stream, the one route whose answer doesn't end. */
export const describeEventStream = (): Record<string, unknown> => ({
  operationId: 'listen-to-events',
  tags: ['person'],
  summary: 'Stream changes in your vaults as they happen: which types of records in which vault, never their content.',
  description: `Server-sent events. \`event: changed\` has the data \`{ "vaultId", "types" }\`; \`vaultId\` is null for changes outside of vaults.
Changes within a second are sent together. After a pause, \`Last-Event-ID\` or \`after\` returns what you missed in the last five minutes, or
\`event: missed\` if that is no longer known; then everything may have changed. A comment is sent every 15 seconds. The stream ends
with the session. At most 8 streams per person.
Each vault that someone shares with you begins with an event of all types that are shared, because what you missed of it isn't known.
Messages stay with the owner of a vault: its members get no events of them.`,
  security: [{ session: [], sessionKey: [] }, { dashboardToken: [] }, { operatorToken: [] }],
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: '`id` of the last received event; browsers send it automatically.',
      schema: { type: 'string' },
    },
    {
      name: 'after',
      in: 'query',
      required: false,
      description: 'The same before the first event: `newsId` of the session. The header takes precedence.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    '200': {
      description: 'The stream',
      headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
      content: {
        'text/event-stream': {
          schema: { type: 'string', description: `Types: ${changeTypes.join(', ')}.` },
          example: `id: 5f2d9c01-7\nevent: changed\ndata: {"vaultId":"0198c5f0-0000-7000-8000-000000000001","types":["memories"]}\n\n`,
        },
      },
    },
    ...Object.fromEntries(
      ['401', '403', '429', '500', '503'].map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
    ),
  },
})
