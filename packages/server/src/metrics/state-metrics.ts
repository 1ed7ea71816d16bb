import { Counter, Gauge, type Registry } from 'prom-client'
import { readBackupHealth } from '../backups/check-backups.ts'
import { findOutage } from '../db/watch-writes.ts'
import type { Services } from '../operation/context.ts'
import { maxCounted, measureBacklog } from '../webhooks/backlog-store.ts'

/** What is looked up for each scrape: how full and how busy the parts of this server are. */

export type MeasuredServices = Pick<
  Services,
  'db' | 'indexes' | 'queryVectors' | 'passwords' | 'backups' | 'embeddings' | 'reranker'
>

export function addStateMetrics(
  registry: Registry,
  services: MeasuredServices,
  { indexMemoryBytes, now }: { indexMemoryBytes: number; now(): number },
): void {
  addIndexes(registry, services, indexMemoryBytes)
  addQueues(registry, services)
  addStore(registry, services)
  addBacklog(registry, services, now)
  if (services.backups.isSupported) addBackups(registry, services)
}

type Measure = () => number | undefined | Promise<number | undefined>

/** A gauge that is measured on request. It is left out without a value, and while measuring it fails: the others still count. */
function addGauge(registry: Registry, name: string, help: string, measure: Measure): Gauge {
  return new Gauge({
    name: `holdfast_${name}`,
    help,
    registers: [registry],
    async collect() {
      const value = await Promise.resolve()
        .then(measure)
        .catch(() => undefined)
      if (value === undefined) this.remove()
      else this.set(value)
    },
  })
}

/** A counter whose numbers are kept elsewhere. */
function addCounter(registry: Registry, name: string, help: string, read: () => Count[]): Counter {
  return new Counter({
    name: `holdfast_${name}_total`,
    help,
    labelNames: ['from'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { from, value } of read()) this.inc(from === undefined ? {} : { from }, value)
    },
  })
}

interface Count {
  /** With several numbers, the label of each. */
  from?: string
  value: number
}

/** Long enough for all metrics of a scrape, and for a scraper in a loop. */
const keptMs = 1_000

/** Measures once for several metrics. */
function measureOnce<T>(measure: () => Promise<T>): () => Promise<T> {
  let latest: { value: Promise<T>; until: number } | undefined
  return () => {
    if (latest === undefined || performance.now() >= latest.until)
      latest = { value: measure(), until: performance.now() + keptMs }
    return latest.value
  }
}

function addIndexes(registry: Registry, { indexes, queryVectors }: MeasuredServices, limitBytes: number): void {
  addGauge(registry, 'index_memory_bytes', 'Memory of all search indexes.', () => indexes.bytes)
  addGauge(registry, 'index_memory_limit_bytes', 'HOLDFAST_INDEX_MEMORY_MB, in bytes.', () => limitBytes)
  addGauge(registry, 'index_open', 'Vaults whose index is in memory.', () => indexes.counts.open)
  const { counts } = queryVectors
  addCounter(registry, 'index_reads', 'Reads of an index. Those without a load found it in memory.', () => [
    { value: indexes.counts.reads },
  ])
  addCounter(registry, 'index_loads', 'Indexes that were loaded into memory.', () => [{ value: indexes.counts.loads }])
  addCounter(registry, 'index_evictions', 'Indexes that others pushed out of memory.', () => [
    { value: indexes.counts.evictions },
  ])
  addCounter(registry, 'query_vectors', 'Questions that were embedded, and those whose vector was cached.', () => [
    { from: 'provider', value: counts.embedded },
    { from: 'earlier_search', value: counts.kept },
  ])
}

function addQueues(registry: Registry, { passwords, embeddings, reranker }: MeasuredServices): void {
  addGauge(registry, 'password_hashes_running', 'Passwords that are hashed now.', () => passwords.load.running)
  addGauge(registry, 'password_hashes_waiting', 'Passwords that wait to be hashed.', () => passwords.load.waiting)
  addGauge(registry, 'embedding_up', '0 if the latest call to the embedding provider failed.', () => {
    if (embeddings === undefined) return undefined
    return embeddings.failure === undefined ? 1 : 0
  })
  addGauge(registry, 'reranker_up', '0 if the latest call to the reranker failed.', () => {
    if (reranker === undefined) return undefined
    return reranker.failure === undefined ? 1 : 0
  })
}

function addStore(registry: Registry, { db }: MeasuredServices): void {
  const add = (name: string, help: string, measure: Measure) => addGauge(registry, `store_${name}`, help, measure)
  const probe = measureOnce(async () => {
    const beganAt = performance.now()
    return { isUp: (await findOutage(db)) === undefined, seconds: (performance.now() - beganAt) / 1000 }
  })
  add('up', '0 while the database does not answer or takes no durable writes.', async () =>
    (await probe()).isUp ? 1 : 0,
  )
  add('read_seconds', 'How long small queries took for this scrape.', async () => (await probe()).seconds)
  add('connections', 'Open connections to the database.', () => db.load.open)
  add('connections_idle', 'Open connections that nothing uses now.', () => db.load.idle)
  add('connections_max', 'The most connections that this server opens.', () => db.load.max)
  add(
    'waiting',
    'Transactions and queries that wait for a connection, or for other writes to their vault.',
    () => db.load.waiting,
  )
}

function addBacklog(registry: Registry, { db }: MeasuredServices, now: () => number): void {
  const add = (name: string, help: string, measure: Measure) => addGauge(registry, `webhook_${name}`, help, measure)
  const backlog = measureOnce(() => measureBacklog(db.read))
  const capped = `${maxCounted} means that many or more.`
  add('deliveries_pending', `Deliveries that wait for an attempt. ${capped}`, async () => (await backlog()).pending)
  add('deliveries_dead', `Deliveries that failed for good in 30 days. ${capped}`, async () => (await backlog()).dead)
  add('oldest_pending_seconds', 'How long the oldest of them has waited.', async () => {
    const { oldestAt } = await backlog()
    return oldestAt === undefined ? 0 : Math.max(0, now() - oldestAt) / 1000
  })
}

function addBackups(registry: Registry, { backups }: MeasuredServices): void {
  const add = (name: string, help: string, measure: Measure) => addGauge(registry, `backup_${name}`, help, measure)
  const health = measureOnce(() => readBackupHealth(backups))
  add('last_success_timestamp_seconds', 'When the latest good backup was made; 0 without one.', async () => {
    const { latestAt = 0 } = (await health()) ?? {}
    return latestAt / 1000
  })
  add('last_failed', '1 if the latest backup could not be made.', async () =>
    (await health())?.failure === undefined ? 0 : 1,
  )
  add('damaged', 'Backups that failed their last check.', async () => (await health())?.damaged)
  add('last_drill_timestamp_seconds', 'When the latest restore drill ran; 0 without one.', async () => {
    const { drill } = (await health()) ?? {}
    return (drill?.at ?? 0) / 1000
  })
  add('last_drill_failed', '1 if the latest restore drill found a problem.', async () =>
    (await health())?.drill?.problem === undefined ? 0 : 1,
  )
  add('interval_seconds', 'Time between automatic backups; 0 if there are none.', () => backups.everyHours * 3600)
}
