import type { CreateTaskInput, UpdateTaskInput } from '@holdfast/client'
import { countsText, taskLine } from '../render/tasks.ts'
import { schemaOf } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { common, tool } from '../tool.ts'
import { parseId } from './ids.ts'

const statuses = ['backlog', 'todo', 'in_progress', 'done', 'blocked'] as const

export const listTasks = tool({
  name: 'list_tasks',
  title: 'List tasks',
  description: 'List tasks, the most urgent first. Look here before beginning new work.',
  inputSchema: schemaOf({
    status: { type: 'array', items: { type: 'string', enum: statuses }, description: 'Default: all but done.' },
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
      head: [answer.total === 0 ? `no such tasks${counts === '' ? '' : `; there are ${counts}`}` : `tasks: ${counts}`],
      recalled: answer.tasks.map((task) => taskLine(task, now)),
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
    'Make a task, or with id change one: claim it (status in_progress with expectedStatus todo), move it on, rewrite it.',
  inputSchema: schemaOf({
    id: { type: 'string', description: 'The task to change; none makes one.' },
    title: { type: 'string' },
    description: { type: 'string' },
    status: { type: 'string', enum: statuses },
    priority: { type: 'integer', minimum: 1, maximum: 5, description: '5: at once. Default 3.' },
    assignedAgentId: { type: 'string', description: 'Who is to do it; empty: nobody.' },
    doneWhen: { type: 'string' },
    blockedReason: { type: 'string' },
    comment: { type: 'string', description: 'For the history of a task that is changed.' },
    expectedStatus: {
      type: 'string',
      enum: statuses,
      description: 'Fail if the task has another: somebody was first.',
    },
    ...common,
  }),
  effect: 'write',
  scopes: ['write'],
  async run({ id, vault: _vault, run: _run, ...fields }, { call }) {
    if (id === undefined) {
      const answer = await call('create-task', newTask(fields))
      const verb = answer.created ? 'made' : 'known already'
      return { head: [`${verb}: t:${answer.taskId} (${answer.status})`], data: { ...answer } }
    }
    const { id: taskId } = parseId(id)
    const { assignedAgentId, ...others } = fields
    const assigned = assignedAgentId === '' ? null : assignedAgentId
    const change: UpdateTaskInput = { taskId, ...others, ...(assigned !== undefined && { assignedAgentId: assigned }) }
    const answer = await call('update-task', change)
    const { updated, status, previousStatus } = answer
    const moved = status === previousStatus ? status : `${previousStatus} → ${status}`
    return {
      head: [`${updated ? 'changed' : 'unchanged, it is like this already'}: t:${taskId} (${moved})`],
      data: { ...answer },
    }
  },
})

type Fields = Partial<CreateTaskInput> & { comment?: string; expectedStatus?: string }

/** What only a task that is there can have is no reason to refuse one that is not. */
function newTask({ comment: _comment, expectedStatus, assignedAgentId, title, ...fields }: Fields): CreateTaskInput {
  if (expectedStatus !== undefined)
    throw new ToolProblem('VALIDATION', 'expectedStatus: only with the id of a task to change.')
  if (title === undefined) throw new ToolProblem('VALIDATION', 'title: required to make a task; give id to change one.')
  return { ...fields, title, ...(assignedAgentId !== '' && { assignedAgentId }) }
}
