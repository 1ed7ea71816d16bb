import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'

interface SeenRequest {
  path: string
  headers: IncomingHttpHeaders
  body: { model?: string; query: string; documents?: string[]; texts?: string[]; top_n?: number; truncate?: boolean }
}

export interface FakeReranker {
  /** The whole address. Set before the first test. */
  url: string
  seen: SeenRequest[]
  /** How well a text answers a query. Replaces the rating by shared letters of the default. */
  rate(query: string, text: string): number
  /** Replaces whole answers. */
  respond(seen: SeenRequest, response: ServerResponse): void
}

/**
 * A local HTTP server with both protocols of rerankers. It runs for the tests of the block or file that calls this, and its answers are
 * reset before each test.
 */
export function useFakeReranker(): FakeReranker {
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const seen = { path: request.url ?? '', headers: request.headers, body: body as SeenRequest['body'] }
      reranker.seen.push(seen)
      reranker.respond(seen, response)
    })
  })
  const respond: FakeReranker['respond'] = ({ body }, response) => {
    const rated = (texts: readonly string[]) =>
      texts.map((text, index) => ({ index, relevance: reranker.rate(body.query, text) }))
    // Best first, as rerankers answer.
    const sorted = rated(body.documents ?? body.texts ?? []).toSorted((a, b) => b.relevance - a.relevance)
    sendJson(
      response,
      body.documents === undefined
        ? sorted.map(({ index, relevance }) => ({ index, score: relevance }))
        : { results: sorted.map(({ index, relevance }) => ({ index, relevance_score: relevance })) },
    )
  }
  const rate = (query: string, text: string) =>
    text.split('').filter((letter) => query.includes(letter)).length / text.length
  const reranker: FakeReranker = { url: '', seen: [], rate, respond }
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    reranker.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/rerank`
  })
  beforeEach(() => Object.assign(reranker, { seen: [], rate, respond }))
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return reranker
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
