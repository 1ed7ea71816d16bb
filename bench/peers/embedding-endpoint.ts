import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { createStaticProvider } from '../../packages/server/src/embeddings/static-model.ts'

/** Holdfast's built-in model, for programs that only know how to ask an endpoint like OpenAI's. */
export interface EmbeddingEndpoint {
  url: string
  close(): Promise<void>
}

export const embeddingDims = 256

interface EmbeddingRequest {
  input: string | string[]
  encoding_format?: 'float' | 'base64'
}

export async function startEmbeddingEndpoint(): Promise<EmbeddingEndpoint> {
  const model = createStaticProvider()
  const embed = async (request: IncomingMessage) => {
    const { input, encoding_format: format } = JSON.parse(await readText(request)) as EmbeddingRequest
    const { vectors } = await model.embed([input].flat(), 'document')
    const data = vectors.map((vector = new Float32Array(embeddingDims), index) => ({
      index,
      object: 'embedding',
      embedding: format === 'base64' ? Buffer.from(vector.slice().buffer).toString('base64') : [...vector],
    }))
    return JSON.stringify({ object: 'list', model: model.id, data, usage: { prompt_tokens: 0, total_tokens: 0 } })
  }
  const server = createServer((request, response) => {
    embed(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
