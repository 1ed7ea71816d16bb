import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { embedHashed } from './hashed-ngrams.ts'

/** The requests that the endpoint received. */
interface SeenRequest {
  path: string
  headers: IncomingHttpHeaders
  body: { model: string; input: string[] }
}

export type Respond = (seen: SeenRequest, response: ServerResponse) => void

export interface FakeEndpoint {
  /** Base URL for a provider. */
  url: string
  seen: SeenRequest[]
  /** Replaces the answers until `reset`. */
  respond: Respond
  /** Restores the default answers and forgets the requests. */
  reset(): void
  close(): Promise<void>
}

/** A real HTTP server on this machine that speaks OpenAI's embeddings protocol, with hashed trigrams as its model. */
export async function startFakeEndpoint(): Promise<FakeEndpoint> {
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const seen = { path: request.url ?? '', headers: request.headers, body: body as SeenRequest['body'] }
      endpoint.seen.push(seen)
      endpoint.respond(seen, response)
    })
  })
  const endpoint: FakeEndpoint = {
    url: '',
    seen: [],
    respond: answerNormally,
    reset() {
      endpoint.seen = []
      endpoint.respond = answerNormally
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return endpoint
}

const answerNormally: Respond = ({ body }, response) => sendJson(response, goodAnswer(body.input))

export const goodAnswer = (input: readonly string[], dims = 256) => ({
  object: 'list',
  model: 'hashed-trigrams',
  data: input.map((text, index) => ({ object: 'embedding', index, embedding: embedHashed(text, dims) })),
  usage: { prompt_tokens: countTokens(input), total_tokens: countTokens(input) },
})

export const countTokens = (input: readonly string[]): number =>
  input.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0)

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
