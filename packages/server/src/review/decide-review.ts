import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import { exampleMemory } from '../memories/memory.ts'
import { findMemories } from '../memories/store.ts'
import { refuseOtherVersion } from '../memories/update-memory.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { sealUndo } from '../vaults/undo-store.ts'
import { acceptProposal, rejectProposals, reopenRejected } from './decide-proposal.ts'
import {
  deleteDecision,
  insertDecision,
  reviewKinds,
  type KeptKind,
  type ReviewKind,
  type ReviewSubject,
} from './decision-store.ts'
import { decideRemoval } from './removed-record.ts'
import { undoDecision } from './undo-decision.ts'

const decisions = ['keep', 'reopen', 'accept', 'reject', 'restore', 'undo'] as const
type Decision = (typeof decisions)[number]

const keptOrNot: readonly Decision[] = ['keep', 'reopen', 'undo']
const decisionsOn: Readonly<Record<ReviewKind, readonly Decision[]>> = {
  proposal: ['accept', 'reject', 'reopen', 'undo'],
  contradiction: keptOrNot,
  duplicate: keptOrNot,
  unsure: keptOrNot,
  changed: keptOrNot,
  removed: ['keep', 'restore', 'undo'],
}

export const decideReview = operation({
  name: 'decide-review',
  for: { person: 'POST /api/review/decide' },
  vault: 'required',
  summary:
    'Accept or reject what an agent proposes, restore what an agent removed, or keep another review item unchanged, so it does not come back; a changed memory comes back when an agent changes it again. To change its memories, merge, update, rate or archive them.',
  effect: 'write',
  changes: ['memories', 'tasks', 'notes', 'links'],
  about: ({ kind, ids }) => (kind === 'proposal' || kind === 'removed' ? [] : refs('memory', ids)),
  errors: ['conflict'],
  input: z.object({
    ...fields.ownVault,
    kind: z.enum(reviewKinds).describe('The kind of item.'),
    ids: z
      .array(z.uuid())
      .min(1)
      .max(100)
      .describe(
        'Both memories of a contradiction or possible duplicate; or one memory, so that no item of this kind about it comes back; or one removed memory or note; or the `proposalId` of a proposal. To reject several proposals, up to 100 of them: those that are decided or withdrawn by then stay as they are.',
      ),
    expectedVersion: fields.expectedVersion.describe(
      'For one memory or proposal: fail with 409 unless the record still has this version. A proposal whose record has another text than when it was proposed is only accepted with it.',
    ),
    wholeTag: z
      .string()
      .max(100)
      .optional()
      .describe('For accepting a proposal, which fails with 409 without it: its `wholeTag`.'),
    decision: z
      .enum(decisions)
      .describe(
        'keep: leave it unchanged. reopen: undo an earlier keep, except of what was removed, or a rejection. accept, reject: a proposal. restore: a removed memory or note. undo: takes back another decision, with its `undo`.',
      ),
    undo: z
      .string()
      .max(100_000)
      .optional()
      .describe(
        'For undo: what the decision, or merge-memories, answered as `undo`. Fails with 409 if the record has changed since.',
      ),
  }),
  output: z.looseObject({
    kind: z.enum(reviewKinds),
    ids: z.array(z.uuid()).describe('What was decided: `ids`; of several proposals, those that are rejected now.'),
    decision: z.enum(decisions),
    undo: z.string().nullable().describe('Undoes the decision. Null if there is nothing to undo, or reopen undoes it.'),
  }),
  examples: {
    input: { vaultId: exampleMemory.vaultId, kind: 'unsure', ids: [exampleMemory.memoryId], decision: 'keep' },
    output: { kind: 'unsure', ids: [exampleMemory.memoryId], decision: 'keep', undo: null },
  },
  async run({ kind, ids, decision, expectedVersion, wholeTag, undo: token }, ctx) {
    if (!decisionsOn[kind].includes(decision))
      throw invalid({ '': `for ${kind}, the decision is ${decisionsOn[kind].join(' or ')}` })
    const distinct = [...new Set(ids)]
    const answer = { kind, ids, decision, undo: null }
    if (decision === 'undo') {
      if (token === undefined) throw invalid({ undo: 'is required' })
      await undoDecision(ctx, token)
      return answer
    }
    if (decision === 'reject') return { ...answer, ids: await rejectProposals(ctx, distinct) }
    if (kind === 'proposal' && decision === 'reopen') return { ...answer, ids: await reopenRejected(ctx, distinct) }
    const [id = '', other] = distinct
    if (other !== undefined && (kind === 'proposal' || kind === 'removed')) throw invalid({ ids: 'must be one id' })
    if (distinct.length > 2) throw invalid({ ids: 'must be at most two ids' })
    if (kind !== 'removed' && kind !== 'proposal') {
      await keepOrReopen(ctx, { kind, ids: distinct, decision, expectedVersion })
      return answer
    }
    const undo =
      kind === 'proposal'
        ? await acceptProposal(ctx, { proposalId: id, expectedVersion, wholeTag })
        : await decideRemoval(ctx, { id, isRestored: decision === 'restore', expectedVersion })
    return { ...answer, undo: undo === undefined ? null : sealUndo(ctx.vault, undo) }
  },
})

interface Decided<D = string> {
  decision: D
  expectedVersion: number | undefined
}

async function keepOrReopen(
  { db, vault, now }: Pick<PersonVaultContext, 'db' | 'vault' | 'now'>,
  { kind, ids, decision, expectedVersion }: Decided & { kind: KeptKind; ids: readonly string[] },
): Promise<void> {
  const looked: ReviewSubject[] = kind === 'unsure' || kind === 'changed' ? ids.map((id) => [id]) : [toSubject(ids)]
  await db.write(async (tx) => {
    await lockVault(tx, vault)
    const memories = await findMemories(tx, vault, ids)
    if (memories.length < ids.length) throw notFound('Memory')
    for (const memory of memories) refuseOtherVersion({ expectedVersion }, memory)
    for (const one of looked)
      if (decision === 'keep') await insertDecision(tx, vault, { kind, looked: one, at: now() })
      else await deleteDecision(tx, vault, kind, one)
  })
}

const toSubject = ([first = '', second]: readonly string[]): ReviewSubject =>
  second === undefined ? [first] : [first, second]
