import type { Actor } from '../auth/actor.ts'
import type { NewEntry } from './activity-store.ts'
import type { CalledRecord, RecordRef } from './records.ts'

/** What is known of an operation before it is called. */
export interface CalledOperation {
  name: string
  isWrite: boolean
  /** Whether its run then counts as saved. */
  isCheckpoint: boolean
  changes: readonly ChangeType[]
  class: ActivityClass
}

/** A call by a known caller, from authentication to its end. It never contains input or output. */
export interface CallRecord {
  /** The id of its request. */
  readonly id: string
  operation: CalledOperation
  readonly actor: Actor
  /** The other end of the connection. */
  readonly address: string
  readonly at: number
  vault: CalledVault | undefined
  vaultId: string | undefined
  /** Undefined for people's calls, and for operations that record their run themselves. */
  run: RunClaim | undefined
  /** The records that it names or changes. */
  about: RecordRef[]
  /** The records in its answer. */
  returns: readonly RecordRef[]
  /** Its activity row as it was written together with its first change. */
  stored: NewEntry | undefined
  /** Tokens used for embedding. */
  tokens: number
  durationMs: number
  /** The HTTP status of the answer. */
  status: number
  /** Undefined for answers without a length limit. */
  answerChars: number | undefined
}

export interface CalledVault {
  id: string
  /** Its owner. */
  userId: string
}

/** How an agent's call names its run and itself. */
export interface RunClaim {
  /** Undefined for a call without a run id: then only the agent is known. */
  agentRunId: string | undefined
  /** Default: the integration's agent id or label. */
  agentId: string | undefined
  modelId: string | undefined
}

/** The outcome of a call, without input and output. */
export interface CallOutcome {
  operation: string
  /** Whether the operation writes. */
  isWrite: boolean
  /** When it began. */
  at: number
  durationMs: number
  /** The HTTP status of the answer. */
  status: number
  /** The first few records. */
  records: readonly CalledRecord[]
  recordCount: number
}

/** The lists that can change. Operations declare which they change, and which changes make their answers outdated. */
export const changeTypes = [
  'memories',
  'tasks',
  'notes',
  'links',
  'messages',
  'documents',
  'runs',
  'agents',
  'vaults',
  'settings',
  'webhooks',
  'account',
] as const
export type ChangeType = (typeof changeTypes)[number]

/** The groups of the activity log. */
export const activityClasses = ['content', 'settings', 'sign-in', 'export', 'read'] as const
export type ActivityClass = (typeof activityClasses)[number]

const classByChange: Readonly<Partial<Record<ChangeType, ActivityClass>>> = {
  account: 'sign-in',
  agents: 'settings',
  vaults: 'settings',
  settings: 'settings',
  webhooks: 'settings',
}

export function classOfActivity({
  changes: [first],
  isExport,
}: {
  changes: readonly ChangeType[]
  isExport: boolean
}): ActivityClass {
  if (isExport) return 'export'
  return first === undefined ? 'read' : (classByChange[first] ?? 'content')
}

/** The classes of limits and quotas. Agents' requests are counted by class; people's have one generous limit. */
export type CountedClass = 'read' | 'write' | 'search' | 'ingest'
export type RequestClass = CountedClass | 'person'

interface Asked {
  audience: string
  scopes: readonly string[]
  effect: string
  isSentByHooks: boolean
}

/** Undefined for calls without limits: the operator's, and calls without a credential. */
export function classOf({ audience, scopes, effect, isSentByHooks }: Asked): RequestClass | undefined {
  if (audience === 'person') return 'person'
  if (audience !== 'agent') return undefined
  if (isSentByHooks) return 'ingest'
  if (scopes.includes('search')) return 'search'
  return effect === 'read' ? 'read' : 'write'
}
