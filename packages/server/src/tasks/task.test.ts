import { expect, it } from 'vitest'
import { afterStatement } from '../../test/after-statement.ts'
import { useTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { makeVaultScope } from '../../test/vault-scopes.ts'
import { newId } from '../core/ids.ts'
import { insertMemory } from '../memories/store.ts'
import { plainTask } from '../memories/task-state.ts'
import { insertTask, updateTask } from '../memories/task-store.ts'
import { findIntactTasksById, findTasksById } from './task.ts'

eachDialect('a task', (dialect) => {
  const open = useTestDatabase(dialect)

  for (const find of [findTasksById, findIntactTasksById])
    it(`never has its old version and its new status, if it changes while ${find.name} reads it`, async () => {
      const [db, scope, memoryId] = [open(), makeVaultScope(), newId()]
      await db.write(async (tx) => {
        await insertMemory(tx, scope, {
          memoryId,
          vaultId: scope.id,
          memoryType: 'task',
          content: 'Water the beans',
          head: { entities: [], sourceNoteIds: [], metadata: {}, route: 'create-task' },
          importance: 3,
          confidence: 3,
          supersedesId: undefined,
          supersededById: undefined,
          archivedAt: undefined,
          expiresAt: undefined,
          occurredAt: 0,
          integrationId: undefined,
          accessCount: 0,
          lastAccessedAt: undefined,
          contentRevision: 1,
          version: 1,
          createdAt: 0,
          updatedAt: 0,
        })
        await insertTask(tx, scope, memoryId)
      })
      const claim = () =>
        db.write(async (tx) => {
          await tx.updateTable('memories').set({ version: 2 }).where('id', '=', memoryId).execute()
          await updateTask(tx, scope, memoryId, { ...plainTask(), status: 'in_progress', revision: 2 })
        })
      const reading = db.read.withPlugin(afterStatement(1, claim))
      const tasks = [
        ...(await find(reading, scope, [memoryId], () => {})),
        ...(await find(reading, scope, [memoryId], () => {})),
      ]
      expect(tasks.map(({ memory, state }) => [memory.version, state.status])).toEqual([
        [1, 'todo'],
        [2, 'in_progress'],
      ])
    })
})
