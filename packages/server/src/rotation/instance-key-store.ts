import type { SealedCells } from '../auth/keyring.ts'
import type { Database } from '../db/dialect.ts'
import type { Services } from '../operation/context.ts'

/** Adds what was sealed with the keys of the instance. Once that is `maxSeals`, the next generation is to seal. */
export const addInstanceSeals = (db: Database, counted: readonly SealedCells[], maxSeals: number): Promise<void> =>
  db.write(async (tx) => {
    // Cells of a former generation don't count: it seals no more.
    for (const { generation, cells } of counted)
      await tx
        .updateTable('instance')
        .set((row) => ({ instanceKeySeals: row('instanceKeySeals', '+', cells) }))
        .where('instanceKeyGeneration', '=', generation)
        .execute()
    await tx
      .updateTable('instance')
      .set((row) => ({ instanceKeyGeneration: row('instanceKeyGeneration', '+', 1), instanceKeySeals: 0 }))
      .where('instanceKeySeals', '>=', maxSeals)
      .execute()
  })

/** Lets the generation seal that is to seal, which this server or another one has decided. */
export async function useNewestInstanceKeys({ db, instance }: Pick<Services, 'db' | 'instance'>): Promise<void> {
  const row = await db.read.selectFrom('instance').select('instanceKeyGeneration').executeTakeFirstOrThrow()
  const { instanceKeyGeneration: newest } = row
  if (newest !== instance.keys.current) instance.keys = instance.keys.sealingWith(newest)
}
