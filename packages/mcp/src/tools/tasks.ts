import type { CreateTaskInput, UpdateTaskInput } from '@holdfast/client'
import { leftOutLines } from '../render/left-out.ts'
import { countsText, taskLine } from '../render/tasks.ts'
import { proposalHead } from '../render/proposal.ts'
import { objectSchema } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { common, tool } from '../tool.ts'
import { parseId } from './ids.ts'

const statuses = ['backlog', 'todo', 'in_progress', 'done', 'blocked'] as const

export const listTasks = tool({
  name: 'list_tasks',
  title: 'List tasks',
  description: 'List tasks, most urgent first. Check them before starting new work.',
  inputSchema: objectSchema({
    status: { type: 'array', items: { type: 'string', enum: statuses }, description: 'Default: all except done.' },
    assignedAgentId: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Default 20.' },
    offset: { type: 'integer', minimum: 0 },
    ...common,
  }),
  effect: 'read',
  scopes: ['read'],
  async run({ status = [], assignedAgentId, limit = 20, offset = 0 }, { call, now, again }) {
    const includeDone = status.includes('done')
    const answer = await call('list-tasks', { status, assignedAgentId, includeDone, limit, offset })
    const counts = countsText(answer.counts)
    return {
      head: [
        answer.total === 0 ? `no matching tasks${counts === '' ? '' : `; all tasks: ${counts}`}` : `tasks: ${counts}`,
      ],
      recalled: answer.tasks.map((task) => taskLine(task, now)),
      tail: leftOutLines(answer),
      total: answer.total - offset,
      next: (shown) => again({ offset: offset + Math.max(shown, 1) }),
      data: { ...answer },
    }
  },
})

export const saveTask = tool({
  name: 'save_task',
  title: 'Save a task',
  description:
    'Create a task, or update one with id: claim it (status in_progress with expectedStatus todo), change its status, rewrite it.',
  inputSchema: objectSchema({
    id: { type: 'string', description: 'The task to update. Without it, a new one is created.' },
    title: { type: 'string' },
    description: { type: 'string' },
    status: { type: 'string', enum: statuses },
    priority: { type: 'integer', minimum: 1, maximum: 5, description: '5: urgent. Default 3.' },
    assignedAgentId: { type: 'string', description: 'Assignee. Empty: none.' },
    doneWhen: { type: 'string' },
    blockedReason: { type: 'string' },
    comment: { type: 'string', description: 'For the history when updating.' },
    expectedStatus: {
      type: 'string',
      enum: statuses,
      description: 'Fail if another agent has changed the status.',
    },
    ...common,
  }),
  effect: 'write',
  scopes: ['write'],
  async run({ id, vault: _vault, run: _run, ...fields }, { call }) {
    if (id === undefined) {
      const answer = await call('create-task', newTask(fields))
      const verb = answer.created ? 'created' : 'already stored'
      return { head: [`${verb}: t:${answer.taskId} (${answer.status})`], data: { ...answer } }
    }
    const { id: taskId } = parseId(id)
    const { assignedAgentId, ...others } = fields
    const assigned = assignedAgentId === '' ? null : assignedAgentId
    const change: UpdateTaskInput = { taskId, ...others, ...(assigned !== undefined && { assignedAgentId: assigned }) }
    const answer = await call('update-task', change)
    const { updated, status, previousStatus, proposal } = answer
    const moved = status === previousStatus ? status : `${previousStatus} → ${status}`
    const done = `${updated ? 'updated' : 'unchanged, already has these values'}: t:${taskId} (${moved})`
    return {
      head: [
        ...(proposal === undefined || updated ? [done] : []),
        ...(proposal === undefined ? [] : [proposalHead(`other texts of t:${taskId}`, proposal)]),
      ],
      data: { ...answer },
    }
  },
})

type Fields = Partial<CreateTaskInput> & { comment?: string; expectedStatus?: string }

/** Builds a new task. Ignores fields that only an existing task can have, except expectedStatus. */
function newTask({ comment: _comment, expectedStatus, assignedAgentId, title, ...fields }: Fields): CreateTaskInput {
  if (expectedStatus !== undefined)
    throw new ToolProblem('VALIDATION', 'expectedStatus: only with the id of a task to update.')
  if (title === undefined)
    throw new ToolProblem('VALIDATION', 'title: required to create a task. Pass id to update one.')
  return { ...fields, title, ...(assignedAgentId !== '' && { assignedAgentId }) }
}
