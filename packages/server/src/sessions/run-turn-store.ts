import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { openTurn, type Turn } from './turn-store.ts'

/** What was said in a run, as its turns tell it. */

/** A page of them, in the order in which they were said. `runTag`: of the run, as its row has it. */
export async function listRunTurns(
  db: Reader,
  scope: VaultScope,
  runTag: Uint8Array,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ turns: Turn[]; total: number }> {
  const said = db
    .selectFrom('turns')
    .where('userId', '=', scope.userId)
    .where('vaultId', '=', scope.id)
    .where('runTag', '=', runTag)
  const rows = await said.selectAll().orderBy('occurredAt').orderBy('id').limit(limit).offset(offset).execute()
  const { total } = await said.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { turns: rows.map((row) => openTurn(scope, row)), total }
}

/** The run in which it was said, where one is known. */
export async function findRunIdOf(
  db: Reader,
  { userId, id }: Pick<VaultScope, 'userId' | 'id'>,
  turnId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('turns as turn')
    .innerJoin('runs as run', (join) =>
      join
        .onRef('run.userId', '=', 'turn.userId')
        .onRef('run.vaultId', '=', 'turn.vaultId')
        .onRef('run.runTag', '=', 'turn.runTag'),
    )
    .select('run.id')
    .where('turn.userId', '=', userId)
    .where('turn.vaultId', '=', id)
    .where('turn.id', '=', turnId)
    .executeTakeFirst()
  return row?.id
}
