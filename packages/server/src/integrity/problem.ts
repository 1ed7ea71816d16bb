import { z } from 'zod'
import type { Tx } from '../db/dialect.ts'
import type { VaultScope } from '../crypto/keys.ts'

/**
 * What a check finds:
 *
 * - `unreadable`: an encrypted value that doesn't open.
 * - `different`: a plain column, a keyed tag or an index entry that isn't what the encrypted record says, or not what other rows say.
 * - `missing`: a row that a record needs, such as its index entry or the state of a task; or a record that an earlier check has seen.
 * - `surplus`: a row that belongs to no record.
 * - `gone`: a record of which only traces are left.
 * - `rolled_back`: a record of a lower version than an earlier check has seen.
 * - `changed`: plain columns that differ from what an earlier check has seen, in the same version.
 */
const problemKinds = ['unreadable', 'different', 'missing', 'surplus', 'gone', 'rolled_back', 'changed'] as const

export const problemRecord = z.looseObject({
  userId: z.uuid(),
  vaultId: z.uuid().nullable().describe('null: it belongs to no vault.'),
  table: z.string().describe('The table of the damaged or missing row.'),
  recordId: z.string().describe('Which row, or the record that the row belongs to.'),
  column: z.string().nullable().describe('null: the whole row.'),
  problem: z.enum(problemKinds),
  state: z
    .enum(['repairable', 'repaired', 'lost'])
    .describe(
      '`lost`: nothing else says what was there, so it stays unchanged until you delete it or restore a backup.',
    ),
  detail: z
    .string()
    .nullable()
    .describe('What a repair can’t bring back, or on what it relies; null if nothing is lost.'),
})

export type Problem = z.infer<typeof problemRecord>

/** A problem of a row of a vault, and how to repair it. */
export interface Found {
  table: string
  recordId: string
  column?: string
  problem: Problem['problem']
  detail?: string
  /** Undefined if it can't be repaired. Runs in the transaction in which the problem was found, under this change number. */
  repair?: (tx: Tx, seq: number) => Promise<void>
}

export const describeFound = (
  { table, recordId, column, problem, detail, repair }: Found,
  { userId, id }: Pick<VaultScope, 'userId' | 'id'>,
  isRepaired: boolean,
): Problem => ({
  userId,
  vaultId: id === userId ? null : id,
  table,
  recordId,
  column: column ?? null,
  problem,
  state: repair === undefined ? 'lost' : isRepaired ? 'repaired' : 'repairable',
  detail: detail ?? null,
})
