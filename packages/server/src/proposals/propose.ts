import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { VaultScope } from '../crypto/keys.ts'
import { exactTag } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { runTagOf, type NamedWriter } from '../operation/writer.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { NeedsDecision, type AskedRecord } from './permit.ts'
import {
  countPending,
  deleteProposal,
  findByTag,
  insertProposal,
  listPendingOf,
  type Proposal,
  type ProposedOperation,
} from './store.ts'

/** Stores a change that a person has to decide about, instead of making it. Nothing else sees it until a person accepts it. */

/** In the answers of the operations that can propose a change. */
export const proposalNotice = z
  .looseObject({
    proposalId: z.uuid(),
    status: z.enum(['pending', 'rejected']).describe('`rejected`: the person has already rejected the same change.'),
    recordId: z.uuid().describe('The record that would change.'),
    message: z.string(),
  })
  .optional()
  .describe(
    'Set if nothing was changed: someone else wrote the record, and the person decides about the change in Review.',
  )

export type ProposalNotice = NonNullable<z.input<typeof proposalNotice>>

/** What an operation was called with. */
interface CallInput {
  modelId?: string | undefined
  externalWriteId?: string | undefined
}

/** The fields that say who calls, and what the caller had read: no part of the change. */
const callFields: ReadonlySet<string> = new Set([
  'vaultId',
  'agentId',
  'agentRunId',
  'modelId',
  'expectedVersion',
  'expectedStatus',
])

const changeOf = (input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== undefined && !callFields.has(name)))

/** The change that an operation was called for. */
export interface Draft {
  operation: ProposedOperation
  input: CallInput
  by: NamedWriter
}

export interface Proposed {
  recordId: string
  proposal: ProposalNotice
}

/**
 * Proposes a change if `error` says that a person decides about it; throws any other error. The same proposal again changes at most its
 * reason, and nothing after it was rejected, as long as the record has the same text.
 */
export async function proposeInstead(
  { db, vault }: Pick<VaultContext, 'db'> & { vault: VaultScope },
  error: unknown,
  draft: Draft,
): Promise<Proposed> {
  if (!(error instanceof NeedsDecision)) throw error
  const { record } = error
  const proposal = await db.write(async (tx) => {
    // The second of two equal proposals waits for the first.
    await lockVault(tx, vault)
    return store(tx, vault, record, draft)
  })
  return { recordId: record.id, proposal: describe(proposal) }
}

/** How many changes of one integration can wait in a vault. */
const maxPending = 100

async function store(tx: Tx, scope: VaultScope, record: AskedRecord, draft: Draft): Promise<Proposal> {
  const { integrationId = '', at } = draft.by
  const tag = proposalTag(scope, record, draft)
  const textTag = textTagOf(scope, record.text)
  const same = await findByTag(tx, scope, tag)
  const before = same ?? (await findByKey(tx, scope, draft))
  const isStillMeant = before?.textTag === textTag && (before.status === 'pending' || before.status === 'rejected')
  if (isStillMeant && !(same?.status === 'pending' && hasOtherReason(same, draft))) return before
  if (before !== undefined) await deleteProposal(tx, scope, before.proposalId)
  // The same change for another reason takes the place of the former proposal and keeps its time. Its id is new, because accepting stores
  // the reason, too: a person who accepts the former one has not seen it.
  const createdAt = isStillMeant ? before.createdAt : at
  if (!isStillMeant && (await countPending(tx, scope, integrationId)) >= maxPending)
    throw new ServiceError(
      'rate_limited',
      `Quota exceeded: ${maxPending} of your proposed changes wait for the person. Ask them with send-message (targetId "user") to decide in Review`,
      { retryAfterSeconds: 3600 },
    )
  const { operation, by } = draft
  const proposal: Proposal = {
    proposalId: newId(),
    integrationId,
    recordType: record.type,
    recordId: record.id,
    status: 'pending',
    createdAt,
    settledAt: undefined,
    operation,
    input: changeOf(draft.input),
    by,
    modelId: draft.input.modelId,
    textTag,
    // Otherwise an agent could keep the proposal from being withdrawn with its run by making it again.
    runTag: (before?.status === 'pending' ? before.runTag : null) ?? runTagOf(scope, by),
  }
  await insertProposal(tx, scope, proposal, tag)
  return proposal
}

/** What doesn't make it another change: why it is made, and the key of the call, which clients make new for each. */
const asideFields: ReadonlySet<string> = new Set(['externalWriteId', 'writeReason', 'reason'])

const reasonsIn = (input: object): string =>
  JSON.stringify(['writeReason', 'reason'].map((name) => (input as Readonly<Record<string, unknown>>)[name] ?? null))

const hasOtherReason = (before: Proposal, { input }: Draft): boolean => reasonsIn(before.input) !== reasonsIn(input)

/** Equal for the same change by the same integration. */
function proposalTag(scope: VaultScope, { id }: AskedRecord, { operation, input, by }: Draft): Buffer {
  const change = Object.entries(changeOf(input)).filter(([name]) => !asideFields.has(name))
  const what = JSON.stringify([by.integrationId, operation, id, Object.fromEntries(change)])
  return exactTag(tagKeys(scope.keys).exact, 'proposal', what)
}

/** Another change that waits under the same `externalWriteId`: a repeated key never stores something else. */
async function findByKey(
  tx: Tx,
  scope: VaultScope,
  { operation, input: { externalWriteId }, by: { integrationId = '' } }: Draft,
): Promise<Proposal | undefined> {
  if (externalWriteId === undefined) return undefined
  const pending = await listPendingOf(tx, scope, integrationId)
  return pending.find(
    (one) => one.operation === operation && (one.input as CallInput).externalWriteId === externalWriteId,
  )
}

export const textTagOf = (scope: VaultScope, text: string): string =>
  exactTag(tagKeys(scope.keys).exact, 'proposed-text', text).toString('hex')

const describe = ({ proposalId, recordId, status }: Proposal): ProposalNotice =>
  status === 'rejected'
    ? {
        proposalId,
        recordId,
        status,
        message:
          'Not changed. The person has already rejected this change, so do not propose it again. If it matters, explain why with send-message (targetId "user").',
      }
    : {
        proposalId,
        recordId,
        status: 'pending',
        message:
          'Not changed: someone else wrote this record, so your change is now a proposal. The person decides in Review. Until then, the record stays as it is; do not repeat the call.',
      }
