import { expect, it } from 'vitest'
import type { JsonValue } from '../core/json.ts'
import { exampleIntegration } from '../integrations/integration.ts'
import { exampleKey } from '../integrations/key.ts'
import type { Caller } from './caller.ts'
import { createAgent, describeRow } from './key-commands.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

const integration = JSON.parse(JSON.stringify(exampleIntegration)) as JsonValue

/** A server that creates integrations, and fails at every other call. */
function failingAfterIntegration(): { caller: Caller; calls: unknown[] } {
  const calls: unknown[] = []
  const caller: Caller = {
    isServer: true,
    async call({ name }, input) {
      calls.push([name, input])
      if (name === 'create-integration') return { integration }
      throw new CommandError(exitCodes.unavailable, `${name} failed`)
    },
  }
  return { caller, calls }
}

it('leaves no integration without a key, and says why there is no key', async () => {
  const { caller, calls } = failingAfterIntegration()
  await expect(createAgent(caller, { label: 'Desk', preset: 'admin' })).rejects.toThrow('create-key failed')
  expect(calls.at(-1)).toEqual(['delete-integration', { id: exampleIntegration.id }])
})

it('prints the agent’s name', async () => {
  const { caller, calls } = failingAfterIntegration()
  await createAgent(caller, { label: 'Desk', preset: 'admin', agentId: 'codex' }).catch(() => {})
  expect(calls[0]).toEqual(['create-integration', { label: 'Desk', preset: 'admin', agentId: 'codex' }])
})

it('lists each key with the name of its agent, and with its own name if it has another', () => {
  const describe = (label: string | null) =>
    describeRow({ ...exampleKey, label, agent: 'Desk', preset: 'read_write', vaults: null })[1]
  expect(describe(null)).toMatch(/ {2}read_write {2}Desk$/)
  expect(describe('Desk')).toMatch(/ {2}read_write {2}Desk$/)
  expect(describe('Laptop')).toMatch(/ {2}read_write {2}Desk \(Laptop\)$/)
})
