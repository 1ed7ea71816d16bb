import { expect, it } from 'vitest'
import { inputOf, listInputOf, taskUrl, isFiltered } from './task-filter.ts'

it('omits unset and invalid values', () => {
  const plain = { vaultId: 'v', state: 'live', limit: 25 }
  const asked = (search: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(inputOf(taskUrl.read(search), 'v')).filter(([, value]) => value !== undefined))
  expect(asked({})).toEqual(plain)
  expect(asked({ q: ' ', priority: 9, sort: 'oldest', state: 'gone' })).toEqual(plain)
  expect(asked({ q: ' key ', assignee: 'ada', priority: 4, entity: 'Go', state: 'all', sort: 'newest' })).toEqual({
    ...plain,
    q: 'key',
    assignedAgentId: 'ada',
    priorityMin: 4,
    entity: 'Go',
    state: 'all',
    sort: 'newest',
  })
  expect(asked({ from: '2026-11-20', to: '2026-11-20' })).toEqual({
    ...plain,
    createdFrom: new Date(2026, 10, 20).toISOString(),
    createdTo: new Date(2026, 10, 21).toISOString(),
  })
  expect(asked({ from: 'yesterday' })).toEqual(plain)
  expect(asked({ assignee: 'ada', unassigned: true })).toEqual({ ...plain, unassigned: true })
})

it('lists open tasks if no state is chosen, and searches all', () => {
  const { status } = listInputOf(taskUrl.defaults, 'v')
  expect(status).toEqual(['backlog', 'todo', 'in_progress', 'blocked'])
  expect(listInputOf({ ...taskUrl.defaults, q: 'key' }, 'v').status).toBeUndefined()
})

it('filters the list by state, but not the board', () => {
  const filter = { ...taskUrl.defaults, status: 'done', offset: 25 } as const
  expect(listInputOf(filter, 'v')).toMatchObject({ status: ['done'], offset: 25 })
  expect(listInputOf({ ...filter, status: 'any' }, 'v').status).toBeUndefined()
  expect(inputOf(filter, 'v')).not.toHaveProperty('status')
  expect([isFiltered(filter), isFiltered({ ...filter, view: 'list' })]).toEqual([false, true])
  expect(isFiltered({ ...filter, view: 'list', ...taskUrl.noFilter })).toBe(false)
})
