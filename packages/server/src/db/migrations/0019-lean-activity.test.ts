import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openStore } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { migrate, migrations } from '../migrate.ts'

eachDialect('the migration to a lean activity log', (dialect) => {
  it('keeps all entries unchanged', async () => {
    const db = await openStore(await dialect.freshUrl())
    const at = migrations.findIndex(({ name }) => name === '0019-lean-activity')
    await migrate(db, migrations.slice(0, at))
    const full = {
      userId: 'u',
      id: 'b',
      vaultId: 'v',
      actor: 'agent',
      integrationId: 'i',
      memberId: 'm',
      credentialId: 'c',
      operation: 'write-memory',
      class: 'content',
      recordId: 'r',
      recordKind: 'memory',
      at: 1_795_994_286_749,
      records: 2,
      calls: 3,
      status: 200,
      address: Buffer.from('sealed'),
    }
    const nothing = { vaultId: null, integrationId: null, memberId: null, credentialId: null, address: null }
    const empty = { ...full, ...nothing, id: 'a', recordId: null, recordKind: null }
    for (const row of [full, empty])
      await db.write((tx) =>
        sql`insert into "activity" (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
            values (${sql.join(Object.values(row))})`.execute(tx),
      )
    await migrate(db, migrations.slice(0, at + 1))
    const { rows } = await sql`select * from "activity" order by "id"`.execute(db.read)
    expect(rows).toEqual([empty, full])
    await db.close()
  })
})
