import type { ServerResponse } from 'node:http'
import { sendJson, startJsonServer, type SeenRequest as Seen } from '../../core/testing/json-server.ts'
import { embedHashed } from './hashed-ngrams.ts'

/** The requests that the endpoint received. */
type SeenRequest = Seen<{ model: string; input: string[] }>

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
  const server = await startJsonServer<SeenRequest['body']>((seen, response) => {
    endpoint.seen.push(seen)
    endpoint.respond(seen, response)
  })
  const endpoint: FakeEndpoint = {
    url: `${server.url}/v1`,
    seen: [],
    respond: answerNormally,
    reset: () => void Object.assign(endpoint, { seen: [], respond: answerNormally }),
    close: server.close,
  }
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
