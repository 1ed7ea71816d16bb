import { z } from 'zod'
import type { CallOutcome } from '../calls/call.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { leftRecord, maxShown, nameRecords, planRunRevert, shownRecord } from './run-writes.ts'
import { countOperations } from './run-call-store.ts'

export const previewRunRevert = operation({
  name: 'preview-run-revert',
  for: { person: 'GET /api/runs/revert' },
  vault: 'required',
  summary: 'What revert-run would take back of a run, and what it would leave.',
  effect: 'read',
  about: ({ id }) => refs('run', id),
  input: z.object({ ...ownVault, id: z.uuid().describe('The run, by the `id` that list-runs gives.') }),
  output: z.looseObject({
    matched: z.int().describe('How many records the run has made that nobody has changed since.'),
    records: z.array(shownRecord).describe(`The latest ${maxShown} of them.`),
    left: z.array(leftRecord).describe(`What the run has made and stays as it is, and why: the latest ${maxShown}.`),
    leftCount: z.int(),
    kept: z
      .array(z.looseObject({ operation: z.string(), count: z.int() }))
      .describe('What else the run has changed, which stays: as far as its calls are kept, 30 days.'),
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
      kept: listKept(calls),
    }
  },
})

/** What makes the records above; whatever else a run writes is not taken back. */
const makers = new Set(['write-memory', 'create-task', 'create-note', 'context-checkpoint', 'ingest-turn'])

const listKept = (calls: readonly CallOutcome[]) =>
  countOperations(calls)
    .filter((counted) => counted.isWrite && counted.done > 0 && !makers.has(counted.operation))
    .map((counted) => ({ operation: counted.operation, count: counted.done }))
