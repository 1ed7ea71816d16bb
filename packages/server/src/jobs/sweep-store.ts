import { sql } from 'kysely'
import type { Reader } from '../db/dialect.ts'

/** The owner of the key that comes `keys` keys after this owner, in their order; undefined if there are fewer. */
export async function findOwnerAfter(db: Reader, after: string, keys: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('vaultKeys')
    .select('userId')
    .where('userId', '>', after)
    .orderBy('userId')
    .offset(keys - 1)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row?.userId
}
