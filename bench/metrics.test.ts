import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from './http-client.ts'
import { readMetrics } from './metrics.ts'

async function serve(text: string, status = 200) {
  const server = createServer((_request, response) => response.writeHead(status).end(text)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const client = createClient(`http://127.0.0.1:${address.port}`, undefined, 1)
  onTestFinished(() => {
    client.close()
    server.close()
  })
  return client
}

it('reads numbers by name, and not those with labels', async () => {
  const client = await serve('# TYPE a gauge\na 1.5e+3\nb{kind="x"} 2\nb 3\n')
  const metrics = await readMetrics(client)
  expect([metrics('a'), metrics('b')]).toEqual([1_500, 3])
})

it('throws for a metric that the server does not have, and for a refused call', async () => {
  const metrics = await readMetrics(await serve('a 1\n'))
  expect(() => metrics('c')).toThrow('no metric c')
  await expect(readMetrics(await serve('', 404))).rejects.toThrow('GET /metrics answered 404')
})
