import * as api from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { startAgent } from '../../test/scenarios.ts'
import { startReceiver } from '../../test/webhook-receiver.ts'
import { parseAllowList } from '../webhooks/address.ts'
import { readTelemetry } from './read-settings.ts'
import { createTelemetry } from './start.ts'
import { recordSpans, type RecordedSpan } from './testing/record-spans.ts'

const settings = { traces: true, metrics: false, choosesDetectors: false }
const caller = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`

async function startTraced() {
  const spans = recordSpans()
  const telemetry = createTelemetry(api, settings, async () => {})
  const config = { embeddings: { provider: 'static' }, webhookAllow: parseAllowList('127.0.0.1').targets } as const
  const test = await startTestApp({ telemetry, config })
  return { spans, test }
}

/** Names of the spans of a trace as a tree, children in the order in which they ended. */
const treeOf = (spans: readonly RecordedSpan[], parentId: string): Record<string, unknown> =>
  Object.fromEntries(
    spans.filter((span) => span.parentId === parentId).map(({ name, spanId }) => [name, treeOf(spans, spanId)]),
  )

describe('a traced server', () => {
  it('continues the trace of its caller into the store, the index and the embedding', async () => {
    const { spans, test } = await startTraced()
    const agent = await startAgent(test)
    await agent.call('write-memory', { content: 'gannets dive' }, { headers: { traceparent } })
    expect(treeOf(spans, caller.spanId)).toMatchObject({
      'POST /api/agent/write-memory': { 'write-memory': { embed: {}, 'store.write': {} } },
    })
    spans.length = 0
    await agent.call('search-memories', { query: 'gannets' }, { headers: { traceparent } })
    expect(treeOf(spans, caller.spanId)).toEqual({
      'POST /api/agent/search-memories': { 'search-memories': { embed: {}, 'index.search': {} } },
    })
    expect(spans.every(({ traceId, hasFailed }) => traceId === caller.traceId && !hasFailed)).toBe(true)
    expect(spans.find(({ name }) => name === 'index.search')?.attributes).toEqual({ 'holdfast.index_items': 1 })
  })

  it('makes no trace of what background work stores', async () => {
    const { spans, test } = await startTraced()
    await test.app.services.db.write((tx) => tx.selectFrom('users').select('id').execute())
    expect(spans.filter(({ parentId }) => parentId === undefined).map(({ name }) => name)).not.toContain('store.write')
  })

  it('says how a call failed by its code', async () => {
    const { spans, test } = await startTraced()
    const agent = await startAgent(test)
    await agent.call('read-memories', { memoryIds: ['not an id'] }, { headers: { traceparent } })
    const [call, request] = spans.filter(({ traceId }) => traceId === caller.traceId)
    expect(call).toMatchObject({ name: 'read-memories', attributes: { 'error.type': 'invalid' }, hasFailed: false })
    expect(request?.attributes).toMatchObject({
      'http.route': '/api/agent/read-memories',
      'http.response.status_code': 400,
    })
  })

  it('reveals no text, query, key, name or id', async () => {
    const { spans, test } = await startTraced()
    const agent = await startAgent(test)
    const memoryId = await agent.write({ content: 'shearwaters burrow', entities: ['Skomer'] })
    await agent.search('shearwaters')
    await agent.read(memoryId)
    await test.call(
      'list-memories',
      { search: 'shearwaters', vaultId: agent.user.vaultId },
      { key: agent.user.dashboardToken },
    )
    const sent = JSON.stringify(spans)
    expect(spans.length).toBeGreaterThan(10)
    expect(sent).not.toMatch(/shearwater|burrow|skomer/i)
    expect(sent).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
    expect(sent).not.toContain(agent.key)
  })

  it('passes a trace of its own on to webhooks, linked to what caused the delivery', async () => {
    const { spans, test } = await startTraced()
    const agent = await startAgent(test)
    const receiver = await startReceiver()
    await test.call(
      'create-webhook',
      { url: receiver.url, events: ['message.created'] },
      { key: agent.user.dashboardToken },
    )
    await agent.call('send-message', { targetId: 'user', content: 'puffins are back' }, { headers: { traceparent } })
    await expect.poll(() => spans.find(({ name }) => name === 'webhook.send')).toBeDefined()
    const delivery = spans.find(({ name }) => name === 'webhook.send')
    expect(delivery).toMatchObject({ parentId: undefined, links: 1, attributes: { 'http.response.status_code': 204 } })
    const { traceId = '', spanId = '' } = delivery ?? {}
    expect(receiver.received[0]?.headers['traceparent']).toBe(`00-${traceId}-${spanId}-01`)
    expect(traceId).not.toBe(caller.traceId)
  })

  it('writes the ids of the trace into log lines', async () => {
    const { test } = await startTraced()
    const key = `svc_${'x'.repeat(49)}`
    await test.call('info', {}, { key, headers: { traceparent } })
    const lines = test
      .log()
      .split('\n')
      .filter((line) => line.includes('requests refused'))
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ trace_id: caller.traceId }])
  })
})

describe('the variables of OpenTelemetry', () => {
  const endpoint = 'http://collector:4318'
  it.each([
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, { traces: true, metrics: true, choosesDetectors: false }],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint }, { traces: true, metrics: false, choosesDetectors: false }],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint }, { traces: false, metrics: true, choosesDetectors: false }],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_METRICS_EXPORTER: 'none', OTEL_NODE_RESOURCE_DETECTORS: 'env' },
      { traces: true, metrics: false, choosesDetectors: true },
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' }, undefined],
  ])('%j turn on %j', (env, expected) => {
    expect(readTelemetry(env)).toEqual(expected)
  })
})
