import type { Actor } from '../auth/actor.ts'
import type { ScopeKeys } from '../crypto/keys.ts'
import type { CalledRecord, RecordRef } from './records.ts'

/** What is known of an operation before it is called. */
export interface CalledOperation {
  name: string
  isWrite: boolean
  changes: readonly ChangeType[]
  class: ActivityClass
}

/** A call of a known caller, from the moment it is known who calls until it has ended. It never holds what was said or answered. */
export interface CallRecord {
  /** The id of its request. */
  readonly id: string
  readonly operation: CalledOperation
  readonly actor: Actor
  /** The other end of the connection. */
  readonly address: string
  readonly at: number
  vault: CalledVault | undefined
  vaultId: string | undefined
  /** Undefined for calls by people, and for those that record their run themselves. */
  run: RunClaim | undefined
  /** What it was about: the records that the caller named, else those that it turned out to be about. */
  records: readonly RecordRef[]
  /** The records that the answer holds. */
  returned: readonly RecordRef[]
  /** Whether its activity row is in the store already, in the transaction of what it changed. */
  isInStore: boolean
  /** The record that this row points to. */
  storedId: string | undefined
  /** Tokens that its texts took to embed. */
  tokens: number
  durationMs: number
  /** Of the answer, as HTTP has it. */
  status: number
  /** Undefined for answers that are not cut to a length. */
  answerChars: number | undefined
}

export interface CalledVault {
  id: string
  keys: ScopeKeys
}

/** How an agent's call names its run and itself. */
export interface RunClaim {
  /** Undefined for a call without a run id: then only the agent is known. */
  agentRunId: string | undefined
  /** Default: the integration's agent id or label. */
  agentId: string | undefined
  modelId: string | undefined
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

/** What may have changed, as people's pages know it. Operations declare which of these they change, and which make their answers outdated. */
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

/** How the activity log groups what was done. */
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

/** What limits and quotas tell apart. Agents' requests are counted by class; people's are only kept from running away. */
export type CountedClass = 'read' | 'write' | 'search' | 'ingest'
export type RequestClass = CountedClass | 'person'

interface Asked {
  audience: string
  scopes: readonly string[]
  effect: string
  isSentByHooks: boolean
}

/** Undefined for what is never limited: the operator's own calls, and calls without a credential. */
export function classOf({ audience, scopes, effect, isSentByHooks }: Asked): RequestClass | undefined {
  if (audience === 'person') return 'person'
  if (audience !== 'agent') return undefined
  if (isSentByHooks) return 'ingest'
  if (scopes.includes('search')) return 'search'
  return effect === 'read' ? 'read' : 'write'
}
