import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** A request that the model received. */
export interface SeenPrompt {
  path: string
  headers: IncomingHttpHeaders
  body: { model: string; messages: { role: string; content: string }[] }
}

export interface FakeModel {
  /** Base URL for a client. Set before the first test. */
  url: string
  seen: SeenPrompt[]
  /** Replaces the answers. */
  respond(seen: SeenPrompt, response: ServerResponse): void
}

/**
 * A local HTTP server with OpenAI's chat protocol. By default it returns the turn's text as one memory. It runs for the tests of
 * the block or file that calls this, and its answers are reset before each test.
 */
export function useFakeModel(): FakeModel {
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      const seen = { path: request.url ?? '', headers: request.headers, body: body as SeenPrompt['body'] }
      model.seen.push(seen)
      model.respond(seen, response)
    })
  })
  const remember: FakeModel['respond'] = (seen, response) =>
    complete(response, { memories: [{ content: saidIn(seen), memoryType: 'fact' }] })
  const model: FakeModel = { url: '', seen: [], respond: remember }
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  })
  beforeEach(() => {
    model.seen = []
    model.respond = remember
  })
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return model
}

export const saidIn = ({ body }: SeenPrompt): string =>
  (JSON.parse(body.messages.at(-1)?.content ?? '{}') as { content: string }).content

/** Sends a chat completion with this content: text unchanged, anything else as JSON. */
export function complete(response: ServerResponse, said: unknown): void {
  const content = typeof said === 'string' ? said : JSON.stringify(said)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content } }] }))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
