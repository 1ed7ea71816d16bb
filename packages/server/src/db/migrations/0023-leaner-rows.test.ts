import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openStore } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { newId } from '../../core/ids.ts'
import { idFromBytes } from '../binary-ids.ts'
import { migrate, migrations } from '../migrate.ts'

eachDialect('the migration to leaner rows', (dialect) => {
  it('keeps the activity log, with ids as bytes, but no damaged ids', async () => {
    const db = await openStore(await dialect.freshUrl())
    const at = migrations.findIndex(({ name }) => name === '0023-leaner-rows')
    await migrate(db, migrations.slice(0, at))
    const ids = {
      id: newId(),
      vaultId: newId(),
      integrationId: newId(),
      memberId: newId(),
      credentialId: newId(),
      recordId: newId(),
    }
    const full = {
      ...ids,
      userId: newId(),
      actor: 'agent',
      operation: 'write-memory',
      class: 'content',
      recordKind: 'memory',
      at: 1_795_994_286_749,
      records: 2,
      calls: 3,
      status: 200,
      address: Buffer.from('sealed'),
    }
    const nothing = { vaultId: null, integrationId: null, memberId: null, credentialId: null, recordId: null }
    const empty = { ...full, ...nothing, id: newId(), recordKind: null, address: null }
    const damaged = {
      ...full,
      id: newId(),
      recordId: 'damaged',
      memberId: newId().slice(2),
      vaultId: newId().replace('-', 'x'),
    }
    const lost = { ...full, id: newId().replace('-', '') }
    for (const row of [full, empty, damaged, lost])
      await db.write((tx) =>
        sql`insert into "activity" (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
            values (${sql.join(Object.values(row))})`.execute(tx),
      )
    await migrate(db)
    const rows = await db.read.selectFrom('activity').selectAll().orderBy('id').execute()
    const withText = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          name in ids && value instanceof Uint8Array ? idFromBytes(value) : value,
        ]),
      ),
    )
    expect(withText).toEqual([full, empty, { ...damaged, recordId: null, memberId: null, vaultId: null }])
    await db.close()
  })
})
