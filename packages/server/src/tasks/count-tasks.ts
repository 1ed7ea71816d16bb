import { z } from 'zod'
import { nameEntities } from '../memories/count-memories.ts'
import { keyedIn } from '../memories/find-page.ts'
import { findIntactTasks } from '../memories/task-store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { choiceTest, groupByEntity, slotsOf } from '../vault-index/choose-items.ts'
import { countPlainTasks, listAssigned, taskListStates, type TaskListState } from './store.ts'
import { exampleTask } from './task.ts'

const count = z.int()
const named = z.array(z.looseObject({ value: z.string(), count }))
const maxNames = 50

export const countTasks = operation({
  name: 'count-tasks',
  for: { person: 'GET /api/tasks/facets' },
  vault: 'required',
  summary: 'Count tasks by priority, assignee and entity, to show as filters of a list.',
  effect: 'read',
  outdatedBy: ['tasks', 'links'],
  input: z.object({
    ...fields.ownVault,
    state: z.enum(taskListStates).default('live').describe('`live`: not archived.'),
  }),
  output: z.looseObject({
    total: count.describe('Tasks in the requested state. All counts except `states` include only these.'),
    priorities: z.array(z.looseObject({ value: z.int(), count })).describe('The most urgent first.'),
    assignees: named.describe('Assignees, at most 50, the most frequent first.'),
    unassigned: count,
    entities: named.describe('What they are about, at most 50, the most frequent first.'),
    states: z.looseObject({ live: count, archived: count, all: count }),
  }),
  examples: {
    input: { vaultId: exampleTask.vaultId },
    output: {
      total: 4,
      priorities: [
        { value: 4, count: 1 },
        { value: 3, count: 3 },
      ],
      assignees: [{ value: 'claude-code', count: 1 }],
      unassigned: 3,
      entities: [],
      states: { live: 4, archived: 0, all: 4 },
    },
  },
  async run({ state }, ctx) {
    const { db, vault, now } = ctx
    const all = await countPlainTasks(db.read, vault, now())
    const asked = all.filter(({ isArchived }) => state === 'all' || (state === 'archived') === (isArchived === 1))
    const sum = (rows: readonly { count: number }[]) => rows.reduce((total, row) => total + row.count, 0)
    const [live, archived] = [0, 1].map((is) => sum(all.filter(({ isArchived }) => isArchived === is))) as [
      number,
      number,
    ]
    return {
      total: sum(asked),
      priorities: [5, 4, 3, 2, 1]
        .map((value) => ({ value, count: sum(asked.filter(({ importance }) => importance === value)) }))
        .filter((priority) => priority.count > 0),
      assignees: await nameAssignees(ctx, state),
      unassigned: sum(asked.filter(({ isAssigned }) => isAssigned === 0)),
      entities: await countEntities(ctx, state),
      states: { live, archived, all: live + archived },
    }
  },
})

/** Opens one task of each assignee to read the name. */
async function nameAssignees({ db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>, state: TaskListState) {
  const groups = await listAssigned(db.read, vault, { state, now: now() }, maxNames)
  const tasks = await findIntactTasks(
    db.read,
    vault,
    groups.map(({ taskId }) => taskId),
  )
  return groups.flatMap(({ taskId, count: tasksOf }) => {
    const value = tasks.get(taskId)?.detail.assignedAgentId
    // It may have changed since it was counted.
    return value === undefined ? [] : [{ value, count: tasksOf }]
  })
}

async function countEntities(
  { db, vault, indexes, now }: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'now'>,
  state: TaskListState,
) {
  const choice = { state, at: now(), kinds: ['memory'], types: ['task'] }
  const { groups } = await indexes.read(vault, (index) =>
    groupByEntity(index, slotsOf(index, choiceTest(index, choice, keyedIn(vault))), maxNames),
  )
  const found = await nameEntities({ db, vault }, groups)
  return found.map((each) => ({ value: each.value, count: each.count }))
}
