import type { ActivityEntry } from '@holdfast/client/dashboard'
import { dashboardRoutes } from '@holdfast/client/dashboard'
import { expect, it } from 'vitest'
import { describeActor, describeOperation, nameOperation } from './activity-words.ts'
import { printEntries } from './print-entries.ts'

/** Operations that send a body but change nothing. */
const isQuestion = (name: string) => /^(ask|find|explain|preview|check)-/.test(name)

it('describes every operation that changes something', () => {
  const changing = Object.entries(dashboardRoutes).filter(([name, { method }]) => method !== 'GET' && !isQuestion(name))
  const bare = changing.map(([name]) => name).filter((name) => nameOperation(name) === name)
  expect(bare).toEqual([])
  expect(nameOperation('write-memory')).toBe('Wrote a memory')
  expect(nameOperation('update-integration')).toBe('Updated an agent')
  expect(nameOperation('archive-memories')).toBe('Archived memories')
  expect(nameOperation('delete-passkey')).toBe('Removed a passkey')
  expect(nameOperation('delete-user')).toBe('Deleted a user')
  expect(describeOperation({ operation: 'log-in', status: 401 })).toBe('Failed to sign in')
})

const entry: ActivityEntry = {
  id: '0198c5f0-0000-7000-8000-000000000901',
  at: '2026-11-21T09:00:00.000Z',
  actor: 'agent',
  integrationId: null,
  label: null,
  member: null,
  keyLast4: '9f3c',
  operation: 'write-memory',
  class: 'content',
  recordType: 'memories',
  recordId: null,
  recordTitle: null,
  recordExists: null,
  records: 0,
  vaultId: null,
  calls: 1,
  status: 200,
  address: '127.0.0.1',
}

it('names a member with their address, whatever they call themselves', () => {
  const nameOf = (name: string | null, email: string) =>
    describeActor({ ...entry, actor: 'person', member: { userId: 'g', name, email } })
  expect(nameOf('You', 'grace@example.org')).toBe('You (grace@example.org)')
  expect(nameOf(null, 'grace@example.org')).toBe('grace@example.org')
  expect(nameOf(null, '')).toBe('Deleted member')
})

it('exports no formulas, even if an agent is named like one', () => {
  const line = (label: string) =>
    printEntries([{ ...entry, label }])
      .split('\r\n')
      .slice(1)
      .join('|')
  expect(line('=HYPERLINK("http://x")')).toContain(`,"'=HYPERLINK(""http://x"")",`)
  expect(line('@sum')).toContain(",'@sum,")
  expect(line('Ada, "the" first\nline')).toContain(',"Ada, ""the"" first\nline",')
})

it('exports which member did something, and to what', () => {
  const member = { userId: 'g', name: 'Grace', email: 'grace@example.org' }
  const [head = '', line = ''] = printEntries([{ ...entry, actor: 'person', member, recordTitle: 'Pond' }]).split(
    '\r\n',
  )
  const values = line.split(',')
  const valueOf = (column: string) => values[head.split(',').indexOf(column)]
  expect(['memberEmail', 'memberName', 'recordTitle'].map(valueOf)).toEqual(['grace@example.org', 'Grace', 'Pond'])
})
