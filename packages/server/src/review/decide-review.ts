import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { exampleMemory } from '../memories/memory.ts'
import { findMemories } from '../memories/store.ts'
import { refuseOtherVersion } from '../memories/update-memory.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { deleteDecision, insertDecision, reviewKinds, type ReviewSubject } from './decision-store.ts'

export const decideReview = operation({
  name: 'decide-review',
  for: { person: 'POST /api/review/decide' },
  vault: 'required',
  summary:
    'Keep a review item unchanged, so it does not come back; a changed memory comes back when an agent changes it again. To change its memories, merge, update, rate or archive them.',
  effect: 'write',
  changes: ['memories', 'links'],
  about: ({ ids }) => refs('memory', ids),
  input: z.object({
    ...fields.ownVault,
    kind: z.enum(reviewKinds).describe('The kind of item.'),
    ids: z
      .array(z.uuid())
      .min(1)
      .max(2)
      .describe(
        'Both memories of a contradiction or possible duplicate; or one memory, so that no item of this kind about it comes back.',
      ),
    expectedVersion: fields.expectedVersion.describe('For one memory: fail with 409 unless it still has this version.'),
    decision: z.enum(['keep', 'reopen']).describe('keep: leave it unchanged. reopen: undo an earlier keep.'),
  }),
  output: z.looseObject({ kind: z.enum(reviewKinds), ids: z.array(z.uuid()), decision: z.enum(['keep', 'reopen']) }),
  examples: {
    input: { vaultId: exampleMemory.vaultId, kind: 'unsure', ids: [exampleMemory.memoryId], decision: 'keep' },
    output: { kind: 'unsure', ids: [exampleMemory.memoryId], decision: 'keep' },
  },
  async run({ kind, ids, decision, expectedVersion }, { db, vault, now }) {
    const distinct = [...new Set(ids)]
    const looked: ReviewSubject[] =
      kind === 'unsure' || kind === 'changed' ? distinct.map((id) => [id]) : [toSubject(distinct)]
    await db.write(async (tx) => {
      // Nothing is written to a vault that is being erased.
      if (!(await lockVault(tx, vault.userId, vault.id))) throw notFound('Vault')
      const memories = await findMemories(tx, vault, distinct)
      if (memories.length < distinct.length) throw notFound('Memory')
      for (const memory of memories) refuseOtherVersion({ expectedVersion }, memory)
      for (const one of looked)
        if (decision === 'keep') await insertDecision(tx, vault, { kind, looked: one, at: now() })
        else await deleteDecision(tx, vault, kind, one)
    })
    return { kind, ids, decision }
  },
})

const toSubject = ([first = '', second]: readonly string[]): ReviewSubject =>
  second === undefined ? [first] : [first, second]
