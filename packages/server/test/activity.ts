import { expect } from 'vitest'
import type { TestApp } from './app.ts'

/** What tests read of an entry. */
interface Entry {
  id: string
  actor: string
  operation: string
  recordId: string | null
  recordType: string | null
  recordTitle: string | null
  recordExists: boolean | null
  status: number
  calls: number
  records: number
  label: string | null
  address: string | null
  class: string
}

/** A counted read of an agent, without an owner, an id, a time and an operation. */
export const agentCall = {
  actor: 'agent',
  vaultId: null,
  integrationId: null,
  memberId: null,
  credentialId: null,
  class: 'read',
  recordId: null,
  recordKind: null,
  records: 0,
  calls: 1,
  status: 200,
  address: undefined,
} as const

/** Lists the activity with a person's token. */
export const browse = async (test: TestApp, key: string, input: Record<string, unknown> = {}) => {
  const { body, text, status } = await test.call('list-activity', input, { key })
  expect(status, text).toBe(200)
  return { entries: body.activity as Entry[], total: Number(body.total), text }
}
