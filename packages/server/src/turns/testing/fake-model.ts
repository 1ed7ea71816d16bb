import type { ServerResponse } from 'node:http'
import { sendJson, startJsonServer, type JsonServer, type SeenRequest } from '../../core/testing/json-server.ts'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** A request that the model received. */
export type SeenPrompt = SeenRequest<{ model: string; messages: { role: string; content: string }[] }>

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
  let server: JsonServer | undefined
  const remember: FakeModel['respond'] = (seen, response) =>
    complete(response, { memories: [{ content: saidIn(seen), memoryType: 'fact' }] })
  const model: FakeModel = { url: '', seen: [], respond: remember }
  beforeAll(async () => {
    server = await startJsonServer<SeenPrompt['body']>((seen, response) => {
      model.seen.push(seen)
      model.respond(seen, response)
    })
    model.url = `${server.url}/v1`
  })
  beforeEach(() => {
    model.seen = []
    model.respond = remember
  })
  afterAll(() => server?.close())
  return model
}

export const saidIn = ({ body }: SeenPrompt): string =>
  (JSON.parse(body.messages.at(-1)?.content ?? '{}') as { content: string }).content

/** Sends a chat completion with this content: text unchanged, anything else as JSON. */
export function complete(response: ServerResponse, said: unknown): void {
  const content = typeof said === 'string' ? said : JSON.stringify(said)
  sendJson(response, { choices: [{ index: 0, message: { role: 'assistant', content } }] })
}
