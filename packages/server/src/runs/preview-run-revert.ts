import { z } from 'zod'
import type { CallOutcome } from '../calls/call.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { leftRecord, maxShown, nameRecords, planRunRevert, shownRecord } from './run-writes.ts'
import { countOperations } from './run-call-store.ts'

export const previewRunRevert = operation({
  name: 'preview-run-revert',
  for: { person: 'GET /api/runs/revert' },
  vault: 'required',
  summary: 'Preview what revert-run would revert, and what it would keep.',
  effect: 'read',
  about: ({ id }) => refs('run', id),
  input: z.object({ ...ownVault, id: z.uuid().describe('The `id` of the run, from list-runs.') }),
  output: z.looseObject({
    matched: z.int().describe('Number of records that the run created and that have not been changed since.'),
    records: z.array(shownRecord).describe(`The latest ${maxShown} of them.`),
    left: z
      .array(leftRecord)
      .describe(`The latest ${maxShown} records that the run created and that are kept, with the reason.`),
    leftCount: z.int(),
    kept: z
      .array(z.looseObject({ operation: z.string(), count: z.int() }))
      .describe('Other changes by the run, which are kept. Covers the last 30 days.'),
  }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', id: '0198c5f0-0000-7000-8000-000000000401' },
    output: {
      matched: 1,
      records: [
        {
          type: 'memory',
          id: '0198c5f0-0000-7000-8000-000000000101',
          title: 'The user prefers tabs over spaces in Go code.',
        },
      ],
      left: [],
      leftCount: 0,
      kept: [{ operation: 'send-message', count: 1 }],
    },
  },
  async run({ id }, ctx) {
    const { due, left, calls } = await planRunRevert(ctx, id)
    const records = await nameRecords(ctx, due)
    return {
      matched: due.length,
      records: records.map(({ reason: _none, ...record }) => record),
      left: await nameRecords(ctx, left),
      leftCount: left.length,
      kept: listKept(ctx, calls),
    }
  },
})

/** Only what operations create in the run is reverted. */
const listKept = ({ createdKinds }: Pick<PersonVaultContext, 'createdKinds'>, calls: readonly CallOutcome[]) =>
  countOperations(calls)
    .filter((counted) => counted.isWrite && counted.done > 0 && !createdKinds.has(counted.operation))
    .map((counted) => ({ operation: counted.operation, count: counted.done }))
