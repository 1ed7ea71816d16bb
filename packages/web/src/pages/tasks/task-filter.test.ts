import { expect, it } from 'vitest'
import { inputOf, isNarrowed, listInputOf, shown, withoutFilter } from './task-filter.ts'

it('omits unset and invalid values', () => {
  const plain = { vaultId: 'v', state: 'live', limit: 25 }
  const asked = (filter: object) =>
    Object.fromEntries(Object.entries(inputOf({ ...shown, ...filter }, 'v')).filter(([, value]) => value !== undefined))
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
  expect(asked({ assignee: 'ada', unassigned: true })).toEqual({ ...plain, unassigned: true })
})

it('filters the list by state, but not the board', () => {
  const filter = { ...shown, status: 'done', offset: 25 }
  expect(listInputOf(filter, 'v')).toMatchObject({ status: ['done'], offset: 25 })
  expect(inputOf(filter, 'v')).not.toHaveProperty('status')
  expect([isNarrowed(filter), isNarrowed({ ...filter, view: 'list' })]).toEqual([false, true])
  expect(isNarrowed({ ...filter, view: 'list', ...withoutFilter })).toBe(false)
})
