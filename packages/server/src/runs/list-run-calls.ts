import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import { describeNodes, type NodeRef } from '../graph/nodes.ts'
import { calledKinds, type CalledRecord } from '../calls/records.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { listRunCallPage } from './run-call-store.ts'
import { findRun } from './run-store.ts'

const calledRecord = z.looseObject({
  kind: z.enum(calledKinds),
  id: z.uuid(),
  title: z.string().nullable().describe('Title of a memory, task or note that still exists; null for anything else.'),
  live: z.boolean().describe('True if it exists and is not archived, in the trash, expired or superseded.'),
})

const runCall = z
  .looseObject({
    operation: z.string(),
    isWrite: z.boolean().describe('Whether the call could change data; false for a dry run.'),
    at: fields.timestamp.describe('When the call began.'),
    durationMs: z.number().describe('Processing time in the service.'),
    status: z.int().describe('HTTP status of the answer. 400 and above are errors.'),
    records: z.array(calledRecord).describe('Records in the answer, at most 10.'),
    recordCount: z.int().describe('Number of records in the answer.'),
  })
  .meta({ id: 'RunCall' })

const exampleId = '0198c5f0-0000-7000-8000-000000000101'

export const listRunCalls = operation({
  name: 'list-run-calls',
  for: { person: 'GET /api/runs/calls' },
  vault: 'required',
  summary:
    'List the calls of a run, latest first, with time, duration, status and records, but never their content. Kept for 30 days.',
  effect: 'read',
  outdatedBy: ['runs', 'memories'],
  about: ({ runId }) => refs('run', runId),
  input: z.object({
    ...fields.ownVault,
    runId: z.uuid().describe('The `id` of the run, from list-runs.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.looseObject({ calls: z.array(runCall), ...page }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', runId: '0198c5f0-0000-7000-8000-000000000401' },
    output: {
      calls: [
        {
          operation: 'write-memory',
          isWrite: true,
          at: '2026-11-21T08:57:00.000Z',
          durationMs: 3.4,
          status: 201,
          records: [
            { kind: 'memory', id: exampleId, title: 'The user prefers tabs over spaces in Go code.', live: true },
          ],
          recordCount: 1,
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ runId, limit, offset }, { db, vault, runs, now }) {
    await runs.flush(vault.id)
    if ((await findRun(db.read, vault, runId)) === undefined) throw notFound('Run')
    const { calls, total } = await listRunCallPage(db.read, vault, runId, { limit, offset })
    const nodes = await describeNodes(
      db.read,
      vault,
      calls.flatMap(({ records }) => records.flatMap(nodeOf)),
      { now: now() },
    )
    return {
      calls: calls.map(({ at, records, ...call }) => ({
        ...call,
        at: isoTime(at),
        records: records.map(({ kind, id }) => {
          const node = nodes.get(id)
          return { kind, id, title: node?.title ?? null, live: node?.isLive ?? false }
        }),
      })),
      ...pageOf({ limit, offset }, total),
    }
  },
})

function nodeOf({ kind, id }: CalledRecord): NodeRef[] {
  if (kind === 'note') return [{ type: 'note', id }]
  return kind === 'memory' || kind === 'task' ? [{ type: 'memory', id }] : []
}
