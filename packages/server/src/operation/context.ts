import type { Actor, AgentActor, PersonActor } from '../auth/actor.ts'
import type { Keyring, Mek } from '../auth/keyring.ts'
import type { LogInThrottle } from '../auth/log-in-throttle.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { SetupToken } from '../auth/setup-token.ts'
import type { Scope } from '../auth/vault-access.ts'
import type { Role } from '../auth/vault-roles.ts'
import type { Log } from '../core/log.ts'
import type { Sealed } from '../crypto/cell.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import type { Database } from '../db/dialect.ts'
import type { EmbeddingProvider } from '../embeddings/provider.ts'
import type { Instance } from '../instance/instance.ts'
import type { Reranker } from '../rerank/reranker.ts'
import type { VaultIndexes } from '../vault-index/cache.ts'
import type { QueryVectors } from '../vault-index/query.ts'
import type { Backups } from './backups.ts'
import type { Activity } from '../calls/activity.ts'
import type { CallCounts } from '../calls/call-counts.ts'
import type { CallLog } from '../calls/call-log.ts'
import type { LastUsed } from '../calls/last-used.ts'
import type { Limits } from '../calls/limits.ts'
import type { News } from '../calls/news.ts'
import type { RunCounts } from '../calls/runs.ts'
import type { CreatedKind, RecordKind } from '../calls/records.ts'

/** Built once by `app.ts`, available to every operation. */
export interface Services {
  db: Database
  instance: Instance
  keyring: Keyring
  seals: Flushed
  indexes: VaultIndexes
  /** Undefined if no provider is configured; search then uses only words and links. */
  embeddings: EmbeddingProvider | undefined
  queryVectors: QueryVectors
  /** Reads the best records of a search. Undefined if none is configured. */
  reranker: Reranker | undefined
  lastUsed: LastUsed
  setupToken: SetupToken
  passwords: Passwords
  logInThrottle: LogInThrottle
  webhooks: WebhookGate
  noteTitles: NoteTitles
  vaultCounting: VaultCounting
  callLog: CallLog
  runs: RunCounts
  /** What operations create in runs, by the names that the calls of a run are stored with. */
  createdKinds: ReadonlyMap<string, CreatedKind>
  limits: Limits
  calls: CallCounts
  jobs: JobWatch
  /** How many calls of agents had fields that the operation doesn't have, by operation, since the start. */
  ignoredFields: Map<string, number>
  backups: Backups
  activity: Activity
  news: News
  /** Whether turns can be queued for a language model; a job asks it. */
  hasLanguageModel: boolean
  /** Answers people's questions. Undefined without a language model. */
  chat: ChatModel | undefined
  dataDir: string
  /** The server's address for people; undefined if the operator hasn't set it. */
  publicUrl: string | undefined
  log: Log
  /** Aborts when the server stops: what works through many rows ends early, with what it has done. */
  stopping: AbortSignal
  /** Wall-clock milliseconds. */
  now(): number
}

/** Counts that are written every minute, and when the server stops. */
interface Flushed {
  flush(): Promise<void>
  stop(): Promise<void>
}

/** How operations use webhook delivery, and the only way to URLs that others chose. */
export interface WebhookGate {
  /** Call after a commit that has queued something, so that it is sent at once. */
  wake(): void
  /** Why nothing would be sent to this URL, for its owner; undefined if it is allowed. */
  refusal(url: string): Promise<string | undefined>
  /** Sends now, bypassing the queue. One at a time per user, otherwise 429. */
  post(userId: string, url: string, request: PostRequest): Promise<PostOutcome>
  /** Reads a short document from a URL that someone else chose, for this user: one at a time as well. Undefined if that fails. */
  readDocument(userId: string, url: string): Promise<string | undefined>
}

export interface PostRequest {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

export interface PostOutcome {
  /** Undefined without an answer. */
  status: number | undefined
  /** The Retry-After header. */
  retryAfter: string | undefined
  /** Undefined if the request was accepted. Never contains text from the receiver. */
  problem: string | undefined
}

/** The operator's language model, for answers that someone waits for: see `ask/chat-model.ts`. */
export interface ChatModel {
  /** One question per user at a time, otherwise 429; a few of all users together, otherwise 503. */
  alone<Answer>(userId: string, work: () => Promise<Answer>): Promise<Answer>
  /** The whole answer; `onText` receives it in parts. Rejects with a ModelError. */
  answer(
    messages: readonly { role: 'system' | 'user'; content: string }[],
    options: { signal: AbortSignal; onText(text: string): void },
  ): Promise<string>
}

/** The titles of live notes, decrypted in memory while someone types a title: see `notes/note-titles.ts`. */
export interface NoteTitles {
  /** As of `vault.seq` or later. */
  read(vault: Pick<UnlockedVault, 'id' | 'userId' | 'keys' | 'seq'>): Promise<Iterable<KnownTitle>>
  /** Decrypts them in the background, because someone may type next. */
  prepare(vault: Pick<UnlockedVault, 'id' | 'userId' | 'keys' | 'seq'>): void
  /** Drops an erased vault. */
  forget(vaultId: string): void
}

/** How many records vaults hold: see `vaults/vault-counting.ts`. */
export interface VaultCounting {
  /** Of vaults of one owner, at these change numbers or later. */
  count(
    userId: string,
    vaults: readonly { vaultId: string; seq: number }[],
    now: number,
  ): Promise<ReadonlyMap<string, VaultCounts>>
}

/** Live records, and tasks that aren't finished. */
export interface VaultCounts {
  memoryCount: number
  openTaskCount: number
  noteCount: number
  /** When a memory or note was last written; undefined in an empty vault. */
  lastWriteAt: number | undefined
}

export interface KnownTitle {
  noteId: string
  /** The normalized title, for comparisons. */
  key: string
  tags: readonly string[]
  updatedAt: number
}

/** The state of background jobs, for operators: see `jobs/scheduler.ts`. */
interface JobWatch {
  /** The jobs whose last run in this process failed. */
  failing(): readonly FailingJob[]
}

export interface FailingJob {
  name: string
  /** Since the start. */
  failures: number
}

/** A vault that the caller may use, with its keys, settings and latest change number. */
export interface UnlockedVault {
  id: string
  /** Its owner, to whom its rows belong. The caller may be someone else, with whom it is shared. */
  userId: string
  seq: number
  keys: ScopeKeys
  settings: SealedSettings
  scopes: readonly Scope[]
  /** Of a person, who may be its owner or a member. */
  role?: Role
  /** Whether a webhook wants events about its memories, tasks or notes. Looked up when the call begins. */
  isWatched: boolean
}

/** Read together with the keys; `vaults/settings-store.ts` opens them. */
export interface SealedSettings {
  /** Null if nothing was ever set. */
  cell: Sealed | null
  version: number
}

/** Sets or ends the browser's session. Only works over HTTP. */
export interface SessionCookie {
  set(secret: string, maxAgeSeconds: number): void
  clear(): void
}

interface Request {
  requestId: string
  operation: string
  /** The X-Agent-Run-Id header. */
  runId: string | undefined
  /** The other end of the connection, or the address of a proxy in front. */
  clientAddress: string
  /** The User-Agent header, chosen by the caller. */
  userAgent: string | undefined
  /** The Host header, chosen by the caller; browsers send the page's host. */
  host: string | undefined
}

export interface PublicContext extends Services {
  request: Request
  sessionCookie: SessionCookie
  /** For operations that are streamed. */
  parts: AnswerParts
}

/** Sends parts of an answer before it is complete, if the caller asked for that. */
export interface AnswerParts {
  send(part: unknown): void
  /** Aborts when the caller is gone, also one that waits for the whole answer. */
  signal: AbortSignal
}

/** Of operations for the operator or for anyone. */
export interface OpenContext extends PublicContext {
  isOperator: boolean
}

/** The caller is known. */
export interface CallContext<A extends Actor = Actor> extends PublicContext {
  actor: A
  /**
   * Says which records the call is about, if it couldn't name them or may have named some that don't exist. What is said in its first
   * transaction is in the activity as soon as that commits.
   */
  about(kind: RecordKind, ids: string | readonly string[]): void
}

/** A call in one vault. */
export interface VaultContext<A extends Actor = Actor> extends CallContext<A> {
  vault: UnlockedVault
}

export type AgentContext = CallContext<AgentActor>
export type AgentVaultContext = VaultContext<AgentActor>

export interface PersonContext extends CallContext<PersonActor> {
  mek: Mek
}

export interface PersonVaultContext extends PersonContext {
  vault: UnlockedVault
}
