import { expect, it } from 'vitest'
import { openStore } from '../../../test/database.ts'
import { eachDialect } from '../../../test/dialects.ts'
import { asSealed } from '../../crypto/cell.ts'
import { migrate } from '../migrate.ts'
import { initial } from './0001-initial.ts'
import { links } from './0002-links.ts'
import { tasks } from './0003-tasks.ts'
import { notes } from './0004-notes.ts'
import { messages } from './0005-messages.ts'
import { webhooks } from './0006-webhooks.ts'
import { sessions } from './0007-sessions.ts'
import { jobs } from './0009-jobs.ts'
import { limits } from './0010-limits.ts'
import { lists } from './0011-lists.ts'

eachDialect('the migration of what lists go by', (dialect) => {
  it('gives each task that is there its status and assignee', async () => {
    const before = [initial, links, tasks, notes, messages, webhooks, sessions, jobs, limits]
    const db = await openStore(await dialect.freshUrl())
    await migrate(db, before)
    const blank = asSealed(Buffer.alloc(0))
    const rated = { importance: 3, confidence: 3, contentRevision: 1, version: 1, accessCount: 0 }
    const times = { occurredAt: 0, createdAt: 0, updatedAt: 0 }
    const common = { userId: 'u', vaultId: 'v', head: blank, body: blank, ...rated, ...times }
    const memory = (id: string, type: string) => ({
      id,
      type,
      ...common,
    })
    const assigneeTag = Buffer.from('somebody')
    const task = { id: 'a', userId: 'u', vaultId: 'v', status: 'blocked', assigneeTag, revision: 2 }
    await db.write(async (tx) => {
      await tx
        .insertInto('memories')
        .values([memory('a', 'task'), memory('b', 'fact')])
        .execute()
      await tx.insertInto('tasks').values(task).execute()
    })
    await migrate(db, [...before, lists])
    const rows = await db.read
      .selectFrom('memories')
      .select(['id', 'taskStatus', 'assigneeTag'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: 'a', taskStatus: 'blocked', assigneeTag },
      { id: 'b', taskStatus: null, assigneeTag: null },
    ])
    await db.close()
  })
})
