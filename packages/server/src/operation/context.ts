import type { KeyObject } from 'node:crypto'
import type { Actor, AgentActor, PersonActor } from '../auth/actor.ts'
import type { Keyring } from '../auth/keyring.ts'
import type { LastUsed } from '../auth/last-used.ts'
import type { LogInThrottle } from '../auth/log-in-throttle.ts'
import type { SetupToken } from '../auth/setup-token.ts'
import type { Scope } from '../auth/presets.ts'
import type { Log } from '../core/log.ts'
import type { Sealed } from '../crypto/cell.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import type { Database } from '../db/dialect.ts'
import type { EmbeddingProvider } from '../embeddings/provider.ts'
import type { Instance } from '../instance/instance.ts'
import type { VaultIndexes } from '../vault-index/cache.ts'
import type { QueryVectors } from '../vault-index/query-vectors.ts'
import type { CallCounter } from './call-counter.ts'
import type { Backups } from './backups.ts'
import type { ChangeType } from './change-types.ts'
import type { Operation } from './operation.ts'
import type { CalledRecord, RecordKind, RecordRef } from './records.ts'
import type { CountedClass, RequestClass } from './request-class.ts'

/** What `app.ts` builds once and every operation may use. */
export interface Services {
  db: Database
  instance: Instance
  keyring: Keyring
  indexes: VaultIndexes
  /** Undefined where no provider is configured: search then uses words and links alone. */
  embeddings: EmbeddingProvider | undefined
  queryVectors: QueryVectors
  lastUsed: LastUsed
  setupToken: SetupToken
  logInThrottle: LogInThrottle
  webhooks: WebhookGate
  noteTitles: NoteTitles
  runs: RunCounter
  limits: Limits
  calls: CallCounter
  jobs: JobWatch
  backups: Backups
  activity: ActivityLog
  news: News
  /** Whether turns can be queued for a language model; a job asks it. */
  hasLanguageModel: boolean
  dataDir: string
  /** Under which people reach the server; undefined where the operator has named none. */
  publicUrl: string | undefined
  log: Log
  /** Wall-clock milliseconds. */
  now(): number
}

/** What operations ask and tell those who deliver webhooks. */
export interface WebhookGate {
  /** To call after the commit that queued something, so that it leaves at once. */
  wake(): void
  /** Why nothing would be sent to this URL, in words for its owner; undefined where nothing speaks against it. */
  refusal(url: string): Promise<string | undefined>
  /** Sends now and outside of the queue: one at a time for each user, else 429. */
  post(userId: string, url: string, request: PostRequest): Promise<PostOutcome>
}

export interface PostRequest {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

export interface PostOutcome {
  /** Undefined where there was no answer. */
  status: number | undefined
  /** The header of that name. */
  retryAfter: string | undefined
  /** Undefined where the request was taken; never anything that the other side wrote. */
  problem: string | undefined
}

/** The titles of live notes, open in memory while somebody types one: see `notes/note-titles.ts`. */
export interface NoteTitles {
  /** As of `vault.seq` or later. */
  read(vault: Pick<UnlockedVault, 'id' | 'userId' | 'keys' | 'seq'>): Promise<Iterable<KnownTitle>>
  /** Opens them for whoever may type next; nobody waits for it. */
  prepare(vault: Pick<UnlockedVault, 'id' | 'userId' | 'keys' | 'seq'>): void
  /** Drops a vault that is erased. */
  forget(vaultId: string): void
}

export interface KnownTitle {
  noteId: string
  /** The title in the form in which titles are compared. */
  key: string
  tags: readonly string[]
  updatedAt: number
}

/** Counts calls by run, in memory first: see `sessions/count-runs.ts`. */
export interface RunCounter {
  /** A call that begins. */
  note(call: RunCall): void
  /** What became of it. */
  noteOutcome(call: RunCall, outcome: CallOutcome): void
  /** Writes what is counted so far, of one vault or of all. */
  flush(vaultId?: string): Promise<void>
  stop(): Promise<void>
}

export interface RunCall {
  actor: AgentActor
  /** Undefined for calls across vaults: they count in the integration's own. */
  vault: Pick<UnlockedVault, 'id' | 'keys'> | undefined
  agentRunId: string
  /** What the call claims; default: as the integration is called. */
  agentId: string | undefined
  modelId: string | undefined
  at: number
}

/** What became of a call, without a word of what it said or was answered. */
export interface CallOutcome {
  operation: string
  /** Whether it would have changed something. */
  isWrite: boolean
  /** When it began. */
  at: number
  durationMs: number
  /** Of the answer, as HTTP has it. */
  status: number
  /** The first few that it was about. */
  records: readonly CalledRecord[]
  recordCount: number
}

/** Requests a minute and units a month of each user: see `limits/limits.ts`. */
export interface Limits {
  /** Units a month of each class; 0: as many as you like. */
  quotas: Readonly<Record<CountedClass, number>>
  /** Requests a minute of each class; 0: as many as you like. */
  rates: Readonly<Record<CountedClass, number>>
  /** Runs the work of one request, or throws 429. What fails is no unit. */
  run<T>(userId: string, requestClass: RequestClass, work: () => Promise<T>): Promise<T>
  noteTokens(userId: string, tokens: number): void
  /** Writes what is counted so far. */
  flush(): Promise<void>
  /** Of all users together. */
  usageThisMonth(): Promise<Record<CountedClass | 'embeddingTokens', number>>
  stop(): Promise<void>
}

/** Tells a person's open pages what has changed: see `activity/news.ts`. */
export interface News {
  /** After the commit. `vaultId`: undefined for what lies in no vault. */
  note(userId: string, vaultId: string | undefined, types: readonly ChangeType[]): void
  /** An agent called, whatever it asked for. */
  noteCall(userId: string): void
  /** Of the newest news. From now on they are kept, for whoever begins to listen within minutes and names it. */
  latestId(userId: string): string
  /** `lastId`: of what was heard last; `missed` is undefined where nobody knows what came after it. */
  listen(
    userId: string,
    listener: NewsListener,
    lastId: string | undefined,
  ): { missed: ChangeNews[] | undefined; leave(): void }
  /** The persons whose news are kept: somebody listens, did so lately or is about to. */
  followed(): string[]
}

export interface ChangeNews {
  id: string
  /** Null for what lies in no vault. */
  vaultId: string | null
  types: ChangeType[]
}

export type NewsListener = (news: ChangeNews) => void

/** Writes down who did what, and has the news of it told: see `activity/activity-log.ts`. */
export interface ActivityLog {
  /** A call of somebody who is known. */
  begin(call: FollowedCall): ActivityEntry
  /** What the service itself has changed in a vault; `records`: how many. */
  noteWork(
    userId: string,
    vaultId: string,
    work: { name: string; changes: readonly ChangeType[]; records: number },
  ): void
  /** Who signed in as the user, or tried to and failed. */
  noteSignIn(userId: string, request: Request, status: number): void
  /** What the operator of the machine changed in somebody's account. */
  noteOperator(userId: string, request: Request): void
  /** Whether a row was written for a call to this very process, lately. */
  isOwn(id: string): boolean
  /** Writes what waits. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export interface FollowedCall {
  operation: Operation
  actor: Actor
  request: Request
}

export interface ActivityEntry {
  /** The store for this call: its first transaction also holds that the call was made. */
  within(db: Database, named: readonly RecordRef[], vaultId: string | undefined): Database
  /** Names a record that the caller could not name, before the first transaction commits. */
  concerns(record: RecordRef): void
  succeed(returned: readonly RecordRef[]): void
  fail(status: number): void
}

/** What operators are told of the work that no request waits for: see `jobs/scheduler.ts`. */
export interface JobWatch {
  /** Those whose last run failed here. */
  failing(): readonly FailingJob[]
}

export interface FailingJob {
  name: string
  /** Since the start. */
  failures: number
}

/** A vault that the caller may use, with its keys, its settings and the number of its latest change. */
export interface UnlockedVault {
  id: string
  userId: string
  seq: number
  keys: ScopeKeys
  settings: SealedSettings
  scopes: readonly Scope[]
}

/** As they came with the keys; `vaults/settings-store.ts` opens them. */
export interface SealedSettings {
  /** Null where nothing was ever set. */
  cell: Sealed | null
  version: number
}

/** Sets or ends the browser's session; only HTTP can. */
export interface SessionCookie {
  set(secret: string, maxAgeSeconds: number): void
  clear(): void
}

export interface Request {
  requestId: string
  operation: string
  /** The X-Agent-Run-Id header. */
  runId: string | undefined
  /** The other end of the connection: a proxy's address where one stands in front. */
  clientAddress: string
  /** The User-Agent header: whatever the caller likes. */
  userAgent: string | undefined
  /** The Host header: whatever the caller likes, but what a browser sends is the page's own. */
  host: string | undefined
}

export interface PublicContext extends Services {
  request: Request
  sessionCookie: SessionCookie
}

/** A caller who is known. */
export interface CallContext<A extends Actor = Actor> extends PublicContext {
  actor: A
  /** Names a record that the caller could not name, such as a new one, so that the activity row that commits with it points to it. */
  concerns(kind: RecordKind, id: string): void
}

/** In one vault of the caller's. */
export interface VaultContext<A extends Actor = Actor> extends CallContext<A> {
  vault: UnlockedVault
}

export type AgentContext = CallContext<AgentActor>
export type AgentVaultContext = VaultContext<AgentActor>

export interface PersonContext extends CallContext<PersonActor> {
  mek: KeyObject
}

export interface PersonVaultContext extends PersonContext {
  vault: UnlockedVault
}
