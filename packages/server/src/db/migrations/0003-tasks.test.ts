import { expect, it } from 'vitest'
import { openStore } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { asSealed } from '../../crypto/cell.ts'
import { migrate } from '../migrate.ts'
import { initial } from './0001-initial.ts'
import { links } from './0002-links.ts'
import { tasks } from './0003-tasks.ts'

eachDialect('the migration to tasks', (dialect) => {
  it('makes a task of each memory of that type that is there', async () => {
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, [initial, links])
    const blank = asSealed(Buffer.alloc(0))
    const memory = (id: string, type: string) => ({
      id,
      type,
      userId: 'u',
      vaultId: 'v',
      importance: 3,
      confidence: 3,
      archivedAt: null,
      expiresAt: null,
      occurredAt: 0,
      supersedesId: null,
      supersededById: null,
      externalTag: null,
      head: blank,
      body: blank,
      contentRevision: 1,
      version: 1,
      integrationId: null,
      accessCount: 0,
      lastAccessedAt: null,
      createdAt: 0,
      updatedAt: 0,
    })
    await db.write((tx) =>
      tx
        .insertInto('memories')
        .values([memory('a', 'task'), memory('b', 'fact')])
        .execute(),
    )
    await migrate(db, [initial, links, tasks])
    expect(await db.read.selectFrom('tasks').selectAll().execute()).toEqual([
      {
        id: 'a',
        userId: 'u',
        vaultId: 'v',
        status: 'todo',
        assigneeTag: null,
        completedAt: null,
        detail: null,
        revision: 1,
      },
    ])
    await db.close()
  })
})
