import type { ServerResponse } from 'node:http'
import { sendJson, startJsonServer, type JsonServer, type SeenRequest as Seen } from '../../core/testing/json-server.ts'
import { afterAll, beforeAll, beforeEach } from 'vitest'

type SeenRequest = Seen<{
  model?: string
  query: string
  documents?: string[]
  texts?: string[]
  truncate?: boolean
}>

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
  let server: JsonServer | undefined
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
    server = await startJsonServer<SeenRequest['body']>((seen, response) => {
      reranker.seen.push(seen)
      reranker.respond(seen, response)
    })
    reranker.url = `${server.url}/v2/rerank`
  })
  beforeEach(() => Object.assign(reranker, { seen: [], rate, respond }))
  afterAll(() => server?.close())
  return reranker
}
