import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectHttp } from '../mcp/connect.ts'

/** The real SDK, installed for this test, sends to a collector in this process. */

const folder = mkdtempSync(join(tmpdir(), 'holdfast-telemetry-'))
const { peerDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  peerDependencies: Record<string, string>
}
const packages = Object.entries(peerDependencies).filter(([name]) => name.startsWith('@opentelemetry/'))

// The server finds the packages here, as if they were installed next to it.
const hook = `import { registerHooks } from 'node:module'
registerHooks({ resolve: (name, context, next) =>
  next(name, name.startsWith('@opentelemetry/') && context.parentURL.includes('/telemetry/') ? { ...context, parentURL: import.meta.url } : context) })`

interface Sent {
  path: string
  headers: Record<string, unknown>
  body: string
}

const collected: Sent[] = []
const embedded: Sent[] = []
const servers: Server[] = []
let program: ChildProcess
let output = ''
let reached = { url: '', key: '' }

async function listen(sent: Sent[], answerTo: (body: string) => unknown): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      sent.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerTo(body)))
    })
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const embed = (body: string) => ({
  data: (JSON.parse(body) as { input: string[] }).input.map((text, index) => ({
    index,
    embedding: [text.length, 1, 2],
  })),
})

beforeAll(async () => {
  const versions = packages.map(([name, version]) => `${name}@${version}`)
  const install = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...versions]
  const { status, stderr } = spawnSync('npm', install, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  writeFileSync(join(folder, 'hook.mjs'), hook)
  const collector = await listen(collected, () => ({}))
  const provider = await listen(embedded, embed)
  program = fork(join(import.meta.dirname, 'traced-server.ts'), {
    execArgv: ['--import', pathToFileURL(join(folder, 'hook.mjs')).href],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      HOLDFAST_DATA_DIR: join(folder, 'data'),
      HOLDFAST_KEY_DIR: join(folder, 'keys'),
      HOLDFAST_PORT: '0',
      HOLDFAST_EMBEDDINGS: 'openai',
      HOLDFAST_EMBEDDINGS_URL: provider,
      HOLDFAST_EMBEDDINGS_MODEL: 'three-numbers',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      OTEL_METRIC_EXPORT_TIMEOUT: '900',
    },
  })
  program.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [message] = (await once(program, 'message')) as [typeof reached]
  reached = message
}, 300_000)

afterAll(async () => {
  if (program.exitCode === null) {
    const ended = once(program, 'exit')
    program.send('stop')
    await ended
  }
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
}

const spans = () =>
  collected
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))

const caller = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`

const call = (name: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${reached.url}/api/agent/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${reached.key}`, ...headers },
    body: JSON.stringify(body),
  })

it('a search is one trace: from its caller to the index and the embedding provider', async () => {
  await call('write-memory', { content: 'turnstones feed among the wrack', entities: ['Fair Isle'] })
  expect((await call('search-memories', { query: 'which waders eat seaweed flies' }, { traceparent })).status).toBe(200)
  const ofCaller = () => spans().filter(({ traceId }) => traceId === caller.traceId)
  await expect.poll(ofCaller).toHaveLength(4)
  const [request, dispatch] = ['POST /api/agent/search-memories', 'search-memories'].map((name) =>
    ofCaller().find((span) => span.name === name),
  )
  expect(request?.parentSpanId).toBe(caller.spanId)
  expect(dispatch?.parentSpanId).toBe(request?.spanId)
  const inside = ofCaller().filter(({ parentSpanId }) => parentSpanId === dispatch?.spanId)
  expect(inside.map(({ name }) => name).toSorted()).toEqual(['embed', 'index.search'])
  const asked = embedded.find(({ body }) => body.includes('waders'))
  const { spanId } = inside.find(({ name }) => name === 'embed') ?? {}
  expect(asked?.headers['traceparent']).toBe(`00-${caller.traceId}-${spanId}-01`)
})

it('so is a call over MCP', async () => {
  const { say } = await connectHttp({ url: reached.url, key: reached.key, era: '2026' })
  await say('search_memories', { query: 'turnstones' })
  const nameOf = (id: string | undefined) => spans().find(({ spanId }) => spanId === id)?.name
  const parents = () =>
    spans()
      .filter(({ name }) => name === 'search-memories')
      .map(({ parentSpanId }) => nameOf(parentSpanId))
  await expect.poll(parents).toContain('POST /mcp')
})

it('metrics arrive under the names of /metrics', async () => {
  const sent = () =>
    collected
      .filter(({ path }) => path === '/v1/metrics')
      .map(({ body }) => body)
      .join('\n')
  for (const name of [
    'holdfast_requests_total',
    'holdfast_index_memory_bytes',
    'holdfast_request_duration_seconds',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    await expect.poll(sent).toContain(`"name":"${name}"`)
  await expect.poll(sent).toContain('search-memories')
})

it('nothing that is sent contains what was written, asked or named, or an id, a key or the machine', async () => {
  expect((await call('read-memories', {}, { authorization: 'Bearer svc_wrong' })).status).toBe(401)
  await expect.poll(() => output).toContain('requests refused')
  const sent = JSON.stringify(collected)
  expect(sent).toContain('deployment.environment.name')
  expect(sent).toContain('"service.name')
  expect(sent).not.toMatch(/turnstone|wrack|wader|seaweed|fair isle|ada@|harbour/i)
  expect(sent).not.toContain(reached.key)
  expect(sent).not.toMatch(/process\.(command|owner|executable)|host\.name/)
})

it('lines of the log carry the ids of the trace', async () => {
  await call('read-memories', {}, { traceparent })
  await expect
    .poll(() => output)
    .toMatch(new RegExp(`"status":400.*"trace_id":"${caller.traceId}","span_id":"[0-9a-f]{16}"`))
})
