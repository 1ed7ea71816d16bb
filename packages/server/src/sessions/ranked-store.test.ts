import { expect, it } from 'vitest'
import { useTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVaultScope, type VaultScope } from '../../test/vault-scopes.ts'
import { newId } from '../core/ids.ts'
import { asSealed } from '../crypto/cell.ts'
import type { Database } from '../db/dialect.ts'
import { listOpenTasks } from './ranked-store.ts'

interface Row {
  status?: string
  importance?: number
  archivedAt?: number | null
  expiresAt?: number | null
  updatedAt?: number
}

/** Only the rows, because their texts are not decrypted here. */
async function insertTasks(db: Database, { id: vaultId, userId }: VaultScope, rows: readonly Row[]): Promise<string[]> {
  const sealed = asSealed(Buffer.alloc(0))
  const tasks = rows.map(({ status = 'todo', ...row }) => ({ id: newId(), status, row }))
  const absent = {
    supersedesId: null,
    supersededById: null,
    externalTag: null,
    integrationId: null,
  }
  const plain = { confidence: 3, occurredAt: 0, contentRevision: 1, version: 1, createdAt: 0 }
  const state = { assigneeTag: null, completedAt: null, detail: null, revision: 1 }
  const changeable = { importance: 3, archivedAt: null, expiresAt: null, updatedAt: 0 }
  const memories = tasks.map(({ id, row }) => ({
    id,
    userId,
    vaultId,
    type: 'task',
    head: sealed,
    body: sealed,
    ...absent,
    ...plain,
    ...changeable,
    ...row,
  }))
  const states = tasks.map(({ id, status }) => ({ id, userId, vaultId, status, ...state }))
  await db.write(async (tx) => {
    for (let from = 0; from < rows.length; from += 500) {
      const part = [from, from + 500] as const
      await tx
        .insertInto('memories')
        .values(memories.slice(...part))
        .execute()
      await tx
        .insertInto('tasks')
        .values(states.slice(...part))
        .execute()
    }
  })
  return tasks.map(({ id }) => id)
}

eachDialect('the task list of a session', (dialect) => {
  const open = useTestDatabase(dialect)

  it('has the most urgent task of each status, however many newer ones are archived', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const [urgent, next] = await insertTasks(db, scope, [{ importance: 5 }, { importance: 4 }, { importance: 1 }])
    await insertTasks(db, scope, [...Array.from({ length: 600 }, () => ({ archivedAt: 1 })), { expiresAt: 5 }])
    const found = await listOpenTasks(db.read, scope, 5, 2)
    expect(found.map(({ id }) => id)).toEqual([urgent, next])
  })

  it('has the last changed of equally urgent tasks', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const rows = [3, 9, 6].map((updatedAt) => ({ updatedAt }))
    const [, latest, second] = await insertTasks(db, scope, rows)
    await insertTasks(db, scope, [{ status: 'done', importance: 5 }])
    const found = await listOpenTasks(db.read, scope, 5, 2)
    expect(found.map(({ id }) => id)).toEqual([latest, second])
  })

  it('is the same with more tasks than one step reads', async () => {
    const [db, scope] = [open(), makeVaultScope()]
    const rows = Array.from({ length: 5003 }, (_, at) => ({
      importance: at === 1 || at === 5001 ? 5 : 2,
      updatedAt: -at,
    }))
    const ids = await insertTasks(db, scope, rows)
    const found = await listOpenTasks(db.read, scope, 5, 3)
    expect(found.map(({ id }) => ids.indexOf(id))).toEqual([1, 5001, 0])
  })
})
