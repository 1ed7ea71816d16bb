import type { Extend } from '@holdfast/mcp/server'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createCallSinks } from './calls/call-log.ts'
import { createNews } from './calls/news.ts'
import { watchOthers } from './activity/watch-others.ts'
import { createHttpServer } from './api/http.ts'
import { createDispatch, type Dispatch } from './api/dispatch.ts'
import { addEvents } from './api/events.ts'
import { prepareStop } from './api/graceful-stop.ts'
import { addHealthRoutes } from './api/health.ts'
import { createFailureLog } from './api/failure-log.ts'
import { addMcp } from './api/mcp.ts'
import { addOauth } from './api/oauth.ts'
import { addPages } from './api/pages.ts'
import { operations, routes } from './api/registry.ts'
import { backUpBeforeUpdate, sweepUnfinished } from './backups/back-up-before-update.ts'
import { createBackups } from './backups/create-backups.ts'
import { createAuthenticator, type Authenticator } from './auth/authenticate.ts'
import { createKeyring } from './auth/keyring.ts'
import { createLastUsed } from './calls/last-used.ts'
import { countTogether } from './auth/log-in-failure-store.ts'
import { createLogInThrottle } from './auth/log-in-throttle.ts'
import { createPasswords, type PasswordCost } from './auth/passwords.ts'
import { createOperatorToken, type OperatorToken } from './auth/operator-token.ts'
import { createSetupToken } from './auth/setup-token.ts'
import { markCredentialsUsed, markKeysUsed } from './auth/store.ts'
import type { Config } from './config.ts'
import { createLog, type Log } from './core/log.ts'
import { dashboardFolder, version } from './core/program.ts'
import type { Database } from './db/dialect.ts'
import { migrate, type Migration, migrations, refuseDueMigrations } from './db/migrate.ts'
import { hasSqliteFile, openSqlite, refuseDamagedSqlite } from './db/sqlite.ts'
import { watchWrites } from './db/watch-writes.ts'
import { askAtStart } from './embeddings/check-provider.ts'
import { createProvider } from './embeddings/create-provider.ts'
import { announceServer } from './instance/announce-server.ts'
import { logDamage, openInstance, refuseLostDatabase, refuseMissingInstance, warnOfCopy } from './instance/instance.ts'
import { lockDataDir } from './instance/lock.ts'
import { listServers } from './instance/server-store.ts'
import { createJobLeases } from './jobs/lease-store.ts'
import { listJobs } from './jobs/list-jobs.ts'
import { failingJobs, noReports, type Scheduler, startScheduler } from './jobs/scheduler.ts'
import { createLimits } from './calls/limits.ts'
import { addJobMetrics } from './metrics/job-metrics.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { addStateMetrics } from './metrics/state-metrics.ts'
import { addReads } from './memories/read-store.ts'
import { createNoteTitles } from './notes/note-titles.ts'
import { createVaultCounting } from './vaults/vault-counting.ts'
import type { Services } from './operation/context.ts'
import { listCreatedKinds } from './operation/operation.ts'
import { createSealCounts } from './rotation/seal-counts.ts'
import { writeRuns } from './runs/write-runs.ts'
import { createReranker } from './rerank/reranker.ts'
import { createChatModel } from './ask/chat-model.ts'
import { createLanguageModel } from './turns/language-model.ts'
import { noTelemetry, type Telemetry } from './telemetry/telemetry.ts'
import { createVaultIndexes } from './vault-index/cache.ts'
import { createQueryVectors } from './vault-index/query.ts'
import { forgetOtherModel } from './vault-index/stored/model-store.ts'
import { createWebhooks, type Webhooks } from './webhooks/gate.ts'

/** The only composition root: creates everything once, in start order, and closes it in reverse order. */
export interface App {
  services: Services
  dispatch: Dispatch
  operatorToken: OperatorToken
  server: FastifyInstance
  /** Starts listening and returns the URL. */
  listen(): Promise<string>
  /**
   * Not ready → drain, accepting connections for so long (default: not at all) → no new connections → requests finish → caches are
   * written → the store closes.
   */
  stop(drainMs?: number): Promise<void>
}

interface Options {
  log?: Log
  now?: () => number
  /** Called when acknowledged writes may not be on disk: the process must end and recover at its next start. */
  onFatal?: (reason: string) => void
  /** Default true. False for a single command, which must not wait for background jobs. */
  runsJobs?: boolean
  /** Default true. If false, a database without an instance is refused and stays unchanged. */
  mayCreate?: boolean
  /** Default true. If false, a database with an older schema is refused and stays unchanged. */
  mayMigrate?: boolean
  /** The migrations of the next version, for tests of an update. */
  laterMigrations?: readonly Migration[]
  /** Adds to the MCP server what tests of the protocol need. */
  extendMcp?: Extend
  /** Lower in tests. */
  passwordCost?: PasswordCost
  /** Traces and metrics for OpenTelemetry. */
  telemetry?: Telemetry
}

export async function createApp(config: Config, options: Options = {}): Promise<App> {
  const { telemetry = noTelemetry, now = Date.now, laterMigrations = [], extendMcp, passwordCost } = options
  const log = telemetry.log(options.log ?? createLog(config.logLevel))
  const lock = lockDataDir(config.dataDir)
  const db = await openStore(config).catch((error: unknown) => {
    lock.release()
    throw error
  })
  const { onFatal = () => {}, runsJobs = true, mayCreate = true, mayMigrate = true } = options
  try {
    if (!mayCreate) await refuseMissingInstance(db)
    if (!mayMigrate) await refuseDueMigrations(db)
    const known = [...migrations, ...laterMigrations]
    await update(db, known, { config, log, now })
    const metrics = createMetrics({ version, store: db.dialect }, telemetry.mirror)
    const watched = watchWrites(telemetry.store(db), { onFatal, ...metrics })
    const made = { config, db: watched, metrics, telemetry, log, now, lock }
    const app = await assemble({ ...made, runsJobs, known, extendMcp, passwordCost })
    if (runsJobs && db.dialect === 'sqlite') warnOfCopy(app.services)
    return app
  } catch (error) {
    await closeStore(db, lock)
    throw error
  }
}

interface Lock {
  release(): void
}

async function closeStore(db: Database, lock: Lock): Promise<void> {
  try {
    await db.close()
  } finally {
    lock.release()
  }
}

async function openStore({ databaseUrl, dataDir }: Config): Promise<Database> {
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('./db/postgres.ts')
    return openPostgres(databaseUrl)
  }
  const isKnown = hasSqliteFile(dataDir)
  refuseLostDatabase(dataDir, isKnown)
  if (isKnown) refuseDamagedSqlite(dataDir)
  return openSqlite(dataDir)
}

/** Brings the tables to this version, after a backup if there is something to lose. */
async function update(
  db: Database,
  known: readonly Migration[],
  { config, log, now }: Pick<Parts, 'config' | 'log' | 'now'>,
): Promise<void> {
  const deps = { db, folder: config.backups.folder, rootKey: config.rootKey, log, now }
  await migrate(db, known, {
    beforeUpdate: () => backUpBeforeUpdate(deps),
    listServers: () => listServers(db.read),
  })
  await sweepUnfinished({ ...deps, dataDir: config.dataDir })
}

interface Parts {
  config: Config
  db: Database
  metrics: Metrics
  telemetry: Telemetry
  log: Log
  now: () => number
  lock: Lock
  runsJobs: boolean
  known: readonly Migration[]
  extendMcp: Extend | undefined
  passwordCost: PasswordCost | undefined
}

async function assemble({ lock, runsJobs, known, extendMcp, ...made }: Parts): Promise<App> {
  const { config, db, metrics, telemetry, log, now } = made
  let scheduler: Scheduler | undefined
  const jobReports = () => scheduler?.reports ?? noReports
  const jobs = { failing: () => failingJobs(jobReports()) }
  const stop = new AbortController()
  const services = await createServices({ ...made, jobs, stopping: stop.signal })
  const operatorToken = createOperatorToken(config.dataDir)
  const authenticator = createAuthenticator({ db: db.read, lastUsed: services.lastUsed, operatorToken, now })
  const dispatch = telemetry.dispatch(createDispatch(services, authenticator))
  addJobMetrics(metrics.registry, jobReports)
  const states = { isStopping: () => stop.signal.aborted, metrics, telemetry }
  const parts = { config, services, dispatch, authenticator, operatorToken, extendMcp, ...states }
  const { server, mcp, events } = await createServer(parts)
  const gracefulStop = prepareStop(server)
  // A single command ends before anyone could rotate the key.
  const announced = db.dialect === 'postgres' && runsJobs ? await announceServer(services, known) : undefined
  // Last, so no job outlives a failed start.
  const leases = createJobLeases(db, now)
  const asked = runsJobs && services.embeddings ? askAtStart(services.embeddings, log) : undefined
  const languageModel = config.extraction && createLanguageModel(config.extraction)
  if (runsJobs)
    scheduler = startScheduler(listJobs(services, { languageModel, asked: asked?.answer }), { leases, log, now })
  if (runsJobs) services.webhooks.start()
  // The embedded store belongs to this process alone.
  const others = db.dialect === 'postgres' ? watchOthers(services, operations) : undefined
  return {
    services,
    dispatch,
    operatorToken,
    server,
    async listen() {
      await server.listen({ host: config.host, port: config.port })
      return addressOf(server)
    },
    async stop(drainMs = 0) {
      stop.abort()
      await gracefulStop.drain(drainMs)
      operatorToken.withdraw()
      services.setupToken.discard()
      await runAll([
        () => gracefulStop.stopListening(),
        () => gracefulStop.finish(() => runAll([async () => events.close(), () => mcp.close()])),
        () => services.webhooks.stop(),
        async () => asked?.stop(),
        async () => scheduler?.stop(),
        () => services.backups.stop(),
        async () => services.embeddings?.stop?.(),
        ...[services.lastUsed, services.runs, services.limits, services.calls].map((one) => () => one.stop()),
        async () => others?.stop(),
        async () => announced?.stop(),
        ...[services.activity, services.indexes, services.seals].map((one) => () => one.stop()),
        async () => services.keyring.forgetKeys(),
        // The last metrics are read from the store.
        () => telemetry.stop(),
        () => closeStore(db, lock),
      ])
    },
  }
}

async function createServices({
  config,
  db,
  metrics,
  telemetry,
  log,
  now,
  passwordCost,
  jobs,
  stopping,
}: Omit<Parts, 'lock' | 'runsJobs' | 'known' | 'extendMcp'> & Pick<Services, 'jobs' | 'stopping'>): Promise<
  Services & { webhooks: Webhooks }
> {
  const instance = await openInstance(db, config.dataDir, config.rootKey)
  instance.onDamage = logDamage(log)
  const seals = createSealCounts({ db, instance, log })
  const keyring = createKeyring(instance, now, seals)
  const news = createNews()
  const common = { db, log, now }
  const writers = { agentKeys: markKeysUsed, dashboardCredentials: markCredentialsUsed, memories: addReads }
  return {
    ...common,
    instance,
    keyring,
    seals,
    ...(await createSearchParts({ config, db, metrics, telemetry, log })),
    queryVectors: createQueryVectors(),
    lastUsed: createLastUsed(db, writers, log),
    setupToken: createSetupToken(config.dataDir, now),
    passwords: createPasswords(passwordCost),
    logInThrottle: createLogInThrottle(now, countTogether(db, instance, now)),
    webhooks: createWebhooks({
      ...common,
      keyring,
      news,
      watchPost: (post) => metrics.watchPost(telemetry.post(post)),
      allowed: config.webhookAllow,
      ownPort: config.port,
    }),
    noteTitles: createNoteTitles({ db, now }),
    vaultCounting: createVaultCounting(db),
    limits: createLimits({ ...common, ...config }),
    ...createCallSinks({
      ...common,
      instance,
      news,
      writeRuns: (runs) => writeRuns({ db, instance, keyring }, runs),
    }),
    createdKinds: listCreatedKinds(operations),
    news,
    jobs,
    ignoredFields: new Map(),
    backups: createBackups({ ...common, instance, settings: config.backups }),
    hasLanguageModel: config.extraction !== undefined,
    chat: config.extraction && createChatModel(config.extraction),
    dataDir: config.dataDir,
    publicUrl: config.publicUrl,
    stopping,
  }
}

async function createSearchParts({
  config,
  db,
  metrics,
  telemetry,
  log,
}: Pick<Parts, 'config' | 'db' | 'metrics' | 'telemetry' | 'log'>): Promise<
  Pick<Services, 'indexes' | 'embeddings' | 'reranker'>
> {
  const embeddings = createProvider(config.embeddings)
  await forgetOtherModel(db, embeddings?.id)
  return {
    indexes: telemetry.indexes(createVaultIndexes({ db, maxBytes: config.indexMemoryBytes, log })),
    embeddings: embeddings && metrics.watchEmbeddings(telemetry.embeddings(embeddings)),
    reranker: config.reranker && metrics.watchReranker(createReranker(config.reranker)),
  }
}

interface ServerParts {
  config: Config
  services: Services
  dispatch: Dispatch
  authenticator: Authenticator
  operatorToken: OperatorToken
  extendMcp: Extend | undefined
  metrics: Metrics
  telemetry: Telemetry
  isStopping(): boolean
}

async function createServer(parts: ServerParts) {
  const { config, services, dispatch, authenticator, operatorToken, metrics, telemetry, isStopping, extendMcp } = parts
  const isSecure = config.publicUrl?.startsWith('https:') ?? false
  const { indexMemoryBytes } = config
  const { ignoredFields } = services
  addStateMetrics(metrics.registry, services, { indexMemoryBytes, now: services.now })
  const { logFailure, flush } = createFailureLog(services.log, metrics.countRefusal)
  const server = await createHttpServer({
    routes,
    dispatch,
    version,
    log: services.log,
    logFailure,
    isSecure,
    webDir: dashboardFolder,
    own: config,
    trustedProxies: config.trustedProxies,
    connections: config.connections,
    observe: metrics.observe,
    countIgnored: ({ name, audience }) => {
      if (audience === 'agent') ignoredFields.set(name, (ignoredFields.get(name) ?? 0) + 1)
    },
  })
  server.addHook('onClose', async () => flush())
  telemetry.addTo(server)
  await telemetry.exportMetrics(metrics)
  addHealthRoutes(server, {
    services,
    metrics,
    isStopping,
    metricsToken: config.metricsToken,
    operatorToken,
  })
  addPages(server, { routes, version, webDir: dashboardFolder })
  addOauth(server, { services, authenticator, isSecure, logFailure, observe: metrics.observe })
  const mcp = addMcp(server, {
    services,
    routes,
    dispatch,
    authenticator,
    version,
    logFailure,
    observe: metrics.observe,
    publicUrl: config.publicUrl,
    host: config.host,
    allowedHosts: config.allowedHosts,
    extend: extendMcp,
  })
  const events = addEvents(server, {
    authenticator,
    db: services.db.read,
    limits: services.limits,
    news: services.news,
    log: services.log,
    isSecure,
  })
  return { server, mcp, events }
}

function addressOf(server: FastifyInstance): string {
  const { address, family, port } = server.server.address() as AddressInfo
  const isAny = address === '0.0.0.0' || address === '::'
  return `http://${isAny ? 'localhost' : family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Runs each step in order, even after one failed, then throws the first error. */
async function runAll(steps: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
