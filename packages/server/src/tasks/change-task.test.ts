import { expect, it } from 'vitest'
import { newId } from '../core/ids.ts'
import { plainTask } from '../memories/task-state.ts'
import { changeTask } from './change-task.ts'
import type { Task } from './task.ts'

const me = { integrationId: newId(), agentId: 'me', route: 'update-task', at: 5 }

const task: Task = {
  memory: {
    memoryId: newId(),
    vaultId: newId(),
    memoryType: 'task',
    content: 'Paint the door',
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
    head: { entities: [], sourceNoteIds: [], metadata: {}, route: 'write-memory' },
  },
  state: plainTask(),
}

it('returns undefined if nothing changes', () => {
  for (const change of [{}, { status: 'todo' as const }, { title: 'Paint the door' }, { priority: 3, metadata: {} }])
    expect(changeTask(task, change, me)).toBeUndefined()
})

it('encrypts again only what differs', () => {
  const moved = changeTask(task, { status: 'done' }, me)
  expect(moved).toMatchObject({ memory: { version: 2, contentRevision: 1 }, state: { revision: 2, completedAt: 5 } })
  const renamed = changeTask(task, { title: 'Paint the gate' }, me)
  expect(renamed).toMatchObject({ memory: { version: 2, contentRevision: 2 }, state: { revision: 1 } })
})

it('is signed by who changes a text, and not by who claims it, moves it on or comments', () => {
  const changerOf = (change: Parameters<typeof changeTask>[1], from = task) =>
    changeTask(from, change, me)?.memory.head.changedBy
  for (const texts of [
    { title: 'Gate' },
    { description: 'Red' },
    { doneWhen: 'dry' },
    { priority: 5 },
    { entities: ['a'] },
  ])
    expect(changerOf(texts)).toEqual(me)
  for (const moves of [
    { status: 'done' as const },
    { status: 'blocked' as const, blockedReason: 'rain' },
    { assignedAgentId: 'me' },
    { comment: 'soon' },
  ])
    expect(changerOf(moves)).toBeUndefined()
  const blocked: Task = {
    ...task,
    state: { ...task.state, status: 'blocked', detail: { statusHistory: [], blockedReason: 'rain' } },
  }
  expect(changerOf({ status: 'todo' }, blocked)).toBeUndefined()
  expect(changerOf({ blockedReason: null }, blocked)).toBeUndefined()
})

it('keeps the reason of a block until the task is unblocked, or the reason is cleared', () => {
  const detail = { statusHistory: [], blockedReason: 'waits for paint', doneWhen: 'dry' }
  const waiting: Task = { ...task, state: { ...task.state, detail } }
  const detailOf = (change: Parameters<typeof changeTask>[1], from = waiting) =>
    changeTask(from, change, me)?.state.detail
  expect(detailOf({ priority: 5 })).toMatchObject(detail)
  expect(detailOf({ status: 'backlog' })).toMatchObject({ blockedReason: 'waits for paint' })
  const blocked: Task = { ...waiting, state: { ...waiting.state, status: 'blocked' } }
  expect(detailOf({ title: 'Paint it' }, blocked)).toMatchObject(detail)
  expect(detailOf({ status: 'todo' }, blocked)).toMatchObject({ blockedReason: undefined, doneWhen: 'dry' })
  for (const nothing of ['', null])
    expect(detailOf({ doneWhen: nothing, blockedReason: nothing })).toMatchObject({
      blockedReason: undefined,
      doneWhen: undefined,
    })
})

it('records the integration and the run of a change, if it has one', () => {
  const historyOf = (agentRunId: string | undefined) =>
    changeTask(task, { status: 'done' }, { ...me, agentRunId })?.state.detail.statusHistory
  const { integrationId } = me
  expect(historyOf('run-7')).toEqual([
    { from: 'todo', to: 'done', at: 5, integrationId, agentId: 'me', agentRunId: 'run-7' },
  ])
  expect(historyOf(undefined)).toEqual([{ from: 'todo', to: 'done', at: 5, integrationId, agentId: 'me' }])
})

it('keeps the latest 200 changes', () => {
  let changed = task
  for (let at = 0; at < 203; at++) changed = changeTask(changed, { comment: `comment ${at}` }, { ...me, at }) ?? task
  const { statusHistory } = changed.state.detail
  expect([statusHistory.length, statusHistory[0]?.comment, statusHistory.at(-1)?.comment]).toEqual([
    200,
    'comment 3',
    'comment 202',
  ])
})
