import { afterEach, expect, it } from 'vitest'
import { nameOfAgent } from './agent-names.ts'
import { personBehind, showPeople } from './people.ts'
import { nameWriters } from './writers.ts'

const ada = { userId: 'a', email: 'ada@example.org', name: 'Ada' }
const grace = { userId: 'g', email: 'grace@example.org', name: null }

afterEach(() => showPeople(undefined))

const written = (agentId: string, changedById?: string) => ({
  agentId,
  source: { integrationId: null, trust: 'user_authored' },
  changedBy: changedById === undefined ? null : { agentId: changedById, integrationId: null },
})

it('calls the owner of a vault "you" in their own vault, and names them in it for members', () => {
  expect(personBehind('user')).toBe('you')
  showPeople({ ownId: 'g', owner: ada, members: [] })
  expect([personBehind('user'), personBehind('user:g'), nameOfAgent('user')]).toEqual([
    'Ada (ada@example.org)',
    'you',
    'Ada (ada@example.org)',
  ])
})

it('names members, and does not know those who left', () => {
  showPeople({ ownId: 'a', owner: undefined, members: [ada, grace] })
  expect(nameWriters(written('user'))).toBe('you')
  expect(nameWriters(written('user', 'user:g'))).toBe('you, changed by grace@example.org')
  expect(nameWriters(written('user:gone'))).toBe('another person')
  expect(nameOfAgent('user:g')).toBe('grace@example.org')
})

it('takes no one for you who calls themselves so', () => {
  showPeople({ ownId: 'a', owner: undefined, members: [ada, { ...grace, name: 'you' }] })
  expect([nameOfAgent('user:g'), nameWriters(written('user:g'))]).toEqual([
    'you (grace@example.org)',
    'you (grace@example.org)',
  ])
})

it('takes no agent for a person', () => {
  expect([personBehind('codex'), personBehind(null), personBehind('users')]).toEqual([undefined, undefined, undefined])
})
