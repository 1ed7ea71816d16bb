import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openStore } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { migrate } from '../migrate.ts'

/**
 * The SHA-256 of each migration's statements. A released migration never changes: a store that has it would refuse to
 * start. A new one takes the next number and adds a line at the end of both lists; the failing test prints it.
 */
const frozen: Record<'sqlite' | 'postgres', string[]> = {
  sqlite: ['0001-initial 3e49585fb498e090923490fe974887e9f073933c3818b44fcb5d793fed8463bc'],
  postgres: ['0001-initial 30468b002d9c68ab41983efa58901bd09000b60dab6a9ccdb36eb5ab37af9ad4'],
}

eachDialect('the migrations', (dialect) => {
  it('are the released ones, in the order of their numbers', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db)
    const applied = sql<{
      line: string
    }>`select "name" || ' ' || "checksum" as "line" from "migrations" order by "name"`
    const { rows } = await applied.execute(db.read)
    expect(rows.map(({ line }) => line)).toEqual(frozen[db.dialect])
    await db.close()
  })
})
