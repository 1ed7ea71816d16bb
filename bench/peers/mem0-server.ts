import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

/**
 * node bench/peers/mem0-server.ts <installed> <store> <port> <embeddings>
 * mem0 for TypeScript is a library. This is the least that other processes need to call it: one object, and one path per method.
 */

interface Memory {
  add(text: string, options: { userId: string; infer: false }): Promise<{ results: { id: string }[] }>
  get(id: string): Promise<{ memory: string } | null>
  search(query: string, options: { filters: { user_id: string }; topK: number }): Promise<{ results: { id: string }[] }>
}

interface Mem0 {
  Memory: new (config: object) => Memory
}

const [installed = '', store = '', port = '', baseURL = '', dims = ''] = process.argv.slice(2)
const entry = createRequire(join(installed, 'package.json')).resolve('mem0ai/oss')
const { Memory: MemoryClass } = (await import(pathToFileURL(entry).href)) as Mem0
const key = { apiKey: 'none' }
const memory = new MemoryClass({
  embedder: {
    provider: 'openai',
    config: { ...key, model: 'built-in', baseURL, embeddingDims: Number(dims) },
  },
  vectorStore: {
    provider: 'memory',
    config: { collectionName: 'memories', dimension: Number(dims), dbPath: join(store, 'vectors.db') },
  },
  // It is created, but never asked.
  llm: { provider: 'openai', config: { ...key, model: 'none', baseURL } },
  historyDbPath: join(store, 'history.db'),
})
const userId = 'bench'

const methods: Record<string, (body: { text: string; id: string; limit: number }) => Promise<unknown>> = {
  '/write': ({ text }) => memory.add(text, { userId, infer: false }),
  '/read': ({ id }) => memory.get(id),
  '/search': ({ text, limit }) => memory.search(text, { filters: { user_id: userId }, topK: limit }),
}

createServer((request, response) => {
  const answer = async () => {
    const body = await readText(request)
    const method = methods[request.url ?? '']
    return method === undefined ? null : method(JSON.parse(body) as Parameters<typeof method>[0])
  }
  answer().then(
    (result) => response.end(JSON.stringify(result ?? null)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
}).listen(Number(port), '127.0.0.1')
