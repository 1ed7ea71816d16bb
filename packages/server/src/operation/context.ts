import type { KeyObject } from 'node:crypto'
import type { Actor, AgentActor, PersonActor } from '../auth/actor.ts'
import type { Keyring } from '../auth/keyring.ts'
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
import type { QueryVectors } from '../vault-index/query.ts'
import type { Backups } from './backups.ts'
import type { Activity } from '../calls/activity.ts'
import type { CallCounts } from '../calls/call-counts.ts'
import type { CallLog } from '../calls/call-log.ts'
import type { LastUsed } from '../calls/write-behind.ts'
import type { Limits } from '../calls/limits.ts'
import type { News } from '../calls/news.ts'
import type { RunCounts } from '../calls/runs.ts'
import type { RecordKind } from '../calls/records.ts'

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
  callLog: CallLog
  runs: RunCounts
  limits: Limits
  calls: CallCounts
  jobs: JobWatch
  backups: Backups
  activity: Activity
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
