import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import type { PublicContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { problemRecord, type Problem } from './problem.ts'
import { countRows, findOwnerId } from './row-store.ts'
import { checkedTables } from './rules.ts'
import { type Position, walk, type Walk } from './walk.ts'

export const checkedData = z.looseObject({
  rows: z.int().describe('How many rows this call has read.'),
  total: z
    .int()
    .nullable()
    .describe(
      'About how many rows there are; null unless the call began at the start, and if counting them takes too long.',
    ),
  problems: z.array(problemRecord),
  next: z.string().nullable().describe('For `from` of the next call; null at the end.'),
})

/** Less than callers wait for an answer. */
const workMs = 3_000

export const checkStoredData = operation({
  name: 'check-stored-data',
  for: { operator: 'POST /api/operator/check' },
  summary:
    'Read everything stored, find what is damaged or missing, and repair what encrypted records say. Each call works for a few seconds and returns where the next one continues. Reads and writes keep working.',
  effect: 'write',
  changes: ['memories', 'tasks', 'notes', 'links', 'runs'],
  isDryRun: ({ dryRun }) => dryRun,
  errors: ['not_found'],
  input: z.object({
    dryRun: z
      .boolean()
      .default(true)
      .describe('Only find problems, and remember for the next check what is there. False: also repair them.'),
    vaultId: z.uuid().optional().describe('Only this vault. Default: everything of all users.'),
    from: z.string().max(2000).optional().describe('`next` of the previous call. Default: from the start.'),
  }),
  output: checkedData,
  examples: {
    input: {},
    output: {
      rows: 1250,
      total: 1250,
      problems: [
        {
          userId: '0198c5f0-0000-7000-8000-000000000002',
          vaultId: '0198c5f0-0000-7000-8000-000000000001',
          table: 'indexEntries',
          recordId: '0198c5f0-0000-7000-8000-000000000101',
          column: null,
          problem: 'missing',
          state: 'repairable',
          detail: null,
        },
      ],
      next: null,
    },
  },
  async run({ dryRun, vaultId, from }, ctx) {
    const vault = await findVault(ctx, vaultId)
    const position = from === undefined ? undefined : readPosition(from)
    const total = position === undefined ? await countAll(ctx, vault) : null
    const { rows, problems, next } = await walk(ctx, { repairs: !dryRun, vault, from: position }, workMs)
    recordRepairs(ctx, problems)
    return { rows, total, problems, next: next === undefined ? null : writePosition(next) }
  },
})

async function findVault({ db }: Pick<PublicContext, 'db'>, vaultId: string | undefined): Promise<Walk['vault']> {
  if (vaultId === undefined) return undefined
  const userId = await findOwnerId(db.read, vaultId)
  if (userId === undefined) throw notFound('Vault')
  return { userId, vaultId }
}

/** Null if counting takes longer than the database lets a statement run: the check goes on without it. */
async function countAll({ db }: Pick<PublicContext, 'db'>, vault: Walk['vault']): Promise<number | null> {
  let total = 0
  try {
    for (const table of checkedTables) total += await countRows(db.read, table, vault)
  } catch (error) {
    if (db.explainFailure(error)?.kind === 'unavailable') return null
    throw error
  }
  return total
}

/** In the activity of the vaults' owners, whose open pages then show the repaired records. */
function recordRepairs({ callLog }: Pick<PublicContext, 'callLog'>, problems: readonly Problem[]): void {
  const repaired = problems.filter(({ state }) => state === 'repaired')
  for (const [vaultId, some] of Map.groupBy(repaired, (problem) => problem.vaultId)) {
    const userId = some[0]?.userId
    if (vaultId === null || userId === undefined) continue
    const { name, changes } = checkStoredData
    callLog.recordWork(userId, vaultId, { name, changes, records: some.length })
  }
}

const storedKey = z.array(z.union([z.string(), z.number(), z.object({ hex: z.string() })])).nullable()
const storedPosition = z.object({ userId: z.string(), table: z.string(), after: storedKey })

/** Keyed tags in a position say nothing without the key. */
function writePosition({ userId, table, after }: Position): string {
  const key = after?.map((part) => (part instanceof Uint8Array ? { hex: Buffer.from(part).toString('hex') } : part))
  return Buffer.from(JSON.stringify({ userId, table, after: key ?? null })).toString('base64url')
}

function readPosition(from: string): Position {
  try {
    const { userId, table, after } = storedPosition.parse(JSON.parse(Buffer.from(from, 'base64url').toString()))
    const key = after?.map((part) => (typeof part === 'object' ? Buffer.from(part.hex, 'hex') : part))
    return { userId, table, after: key ?? null }
  } catch {
    throw invalid({ from: 'is not a position that an earlier call returned' })
  }
}
