import { describe, expect, it } from 'vitest'
import { startTestApp, useTestApp, type TestApp } from '../../test/app.ts'
import { startAgent } from '../../test/scenarios.ts'
import { routes } from '../api/registry.ts'
import { createMetrics, refusalReasons } from './metrics.ts'

const scrape = async ({ app }: TestApp) => (await app.server.inject({ method: 'GET', url: '/metrics' })).payload

/** The value of a sample, such as `holdfast_requests_total{operation="info",status="200"}`; undefined without it. */
function valueOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

describe('the metrics', () => {
  const test = useTestApp({
    config: { embeddings: { provider: 'static' }, rateLimits: { read: 3, write: 0, search: 0, ingest: 0 } },
  })

  it('count requests, their time and their class', async () => {
    const agent = await startAgent(test())
    await agent.write({ content: 'herons nest in March' })
    await agent.call('search-memories', { query: 'herons' })
    const text = await scrape(test())
    expect(valueOf(text, 'holdfast_requests_total{operation="search-memories",status="200"}')).toBe(1)
    expect(valueOf(text, 'holdfast_operation_seconds_total{operation="write-memory"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'holdfast_request_duration_seconds_count{class="search"}')).toBe(1)
    expect(valueOf(text, 'holdfast_request_duration_seconds_bucket{le="+Inf",class="write"}')).toBeGreaterThan(0)
  })

  it('show indexes, embeddings, the database and queues, but no content', async () => {
    const agent = await startAgent(test())
    await agent.write({ content: 'bitterns boom in reeds' })
    await agent.call('search-memories', { query: 'bitterns' })
    const text = await scrape(test())
    for (const sample of [
      'holdfast_index_memory_bytes',
      'holdfast_index_open',
      'holdfast_index_reads_total',
      'holdfast_index_loads_total',
      'holdfast_embedding_duration_seconds_count{kind="document"}',
      'holdfast_embedding_duration_seconds_count{kind="query"}',
      'holdfast_embedding_up',
      'holdfast_store_up',
      'holdfast_store_read_seconds',
      'holdfast_store_connections',
      'holdfast_store_write_duration_seconds_count',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect([sample, valueOf(text, sample)]).toEqual([sample, expect.toSatisfy((value: number) => value > 0)])
    for (const sample of [
      'holdfast_store_waiting',
      'holdfast_password_hashes_waiting',
      'holdfast_embedding_queue',
      'holdfast_index_evictions_total',
      'holdfast_webhook_deliveries_pending',
      'holdfast_webhook_oldest_pending_seconds',
      'holdfast_backup_last_success_timestamp_seconds',
      'holdfast_backup_last_failed',
    ])
      expect([sample, valueOf(text, sample)]).toEqual([sample, 0])
    expect(valueOf(text, 'holdfast_index_memory_limit_bytes')).toBe(64 * 1024 * 1024)
    expect(text).toMatch(/^holdfast_build_info\{version="\d[^"]*",store="sqlite"\} 1$/m)
    expect(text).not.toMatch(/bittern|boom|reeds/)
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
  })

  it('count refused calls by reason', async () => {
    const before = await scrape(test())
    const { call } = test()
    const agent = await startAgent(test())
    await call('info', {}, { key: 'svc_wrong' })
    await call('list-vaults', {}, { key: 'hfd_wrong' })
    await call('log-in', { email: 'nobody@example.org', password: 'not the right one' }, { audience: 'anyone' })
    for (let n = 0; n < 5; n++) await agent.call('info', {})
    const after = await scrape(test())
    const risen = refusalReasons.filter((reason) => {
      const [old, now] = [before, after].map((text) => valueOf(text, `holdfast_refusals_total{reason="${reason}"}`))
      return (now ?? 0) > (old ?? NaN)
    })
    expect(risen).toEqual(['agent_key', 'dashboard_session', 'password', 'rate_limit'])
  })

  it('have the names and labels that Prometheus expects', async () => {
    const text = await scrape(test())
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }))
    expect(types.length).toBeGreaterThan(50)
    const isCounter = ({ type }: { type: string }) => type === 'counter'
    expect(types.filter((one) => isCounter(one) !== one.name.endsWith('_total'))).toEqual([])
    expect(types.filter(({ name }) => /_(ms|milliseconds|minutes|kb|mb|megabytes|percent)\b/.test(name))).toEqual([])
    const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name))
    const own = ['class', 'from', 'job_name', 'kind', 'operation', 'outcome', 'reason', 'status', 'store', 'version']
    const ofProcess = ['le', 'major', 'minor', 'patch', 'space', 'type']
    expect([...labels].filter((name) => ![...own, ...ofProcess].includes(name))).toEqual([])
  })
})

it('a scrape has at most 60 KB after every operation was called, and every third refused', async () => {
  const test = await startTestApp({ config: { embeddings: { provider: 'static' } } })
  await expect
    .poll(() => scrape(test))
    .toMatch(/^holdfast_job_last_end_timestamp_seconds\{job_name="expire-memories"\}/m)
  const used = createMetrics({ version: '1.2.3', store: 'sqlite' })
  const idle = (await used.text()).length
  routes.forEach((route, at) => {
    used.observe(route, 200, 12.3456789)
    if (at % 3 === 0) used.observe(route, 429, 1.23456789)
  })
  expect((await scrape(test)).length + (await used.text()).length - idle).toBeLessThan(60_000)
})

it('a scrape still answers while the database does not', async () => {
  const test = await startTestApp({ runsJobs: false })
  await test.app.services.db.close()
  const text = await scrape(test)
  expect(valueOf(text, 'holdfast_store_up')).toBe(0)
  expect(valueOf(text, 'holdfast_webhook_deliveries_pending')).toBeUndefined()
  expect(valueOf(text, 'holdfast_index_open')).toBe(0)
})
