import { expect } from 'vitest'
import type { TestAgent } from '../../../test/scenarios.ts'

export type Record_ = Record<string, unknown>

export const make = async (agent: TestAgent, task: string | Record_) => {
  const { status, body, text } = await agent.call('create-task', typeof task === 'string' ? { title: task } : task)
  expect([201, text]).toEqual([status, text])
  return String(body.taskId)
}

export const list = async (agent: TestAgent, filter: Record_ = {}) => {
  const { status, body, text } = await agent.call('list-tasks', filter)
  expect([200, text]).toEqual([status, text])
  return body as Record_ & { tasks: Record_[]; counts: Record<string, number>; total: number }
}

export const titles = async (agent: TestAgent, filter: Record_ = {}) =>
  (await list(agent, filter)).tasks.map(({ title }) => title)

export const taskOf = async (agent: TestAgent, taskId: string) => {
  const { tasks } = await list(agent, { limit: 100, includeArchived: true })
  const task = tasks.find((each) => each.taskId === taskId)
  expect(task).toBeDefined()
  return task ?? {}
}

export const update = (agent: TestAgent, taskId: string, change: Record_) =>
  agent.call('update-task', { taskId, ...change })
