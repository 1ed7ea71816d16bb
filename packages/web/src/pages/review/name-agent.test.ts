import type { Integration } from '@holdfast/client/dashboard'
import { expect, it } from 'vitest'
import { nameAgent } from './name-agent.ts'

const id = '0198c5f0-0000-7000-8000-000000000011'
const integration = { id, label: 'Codex on the desk', agentId: 'codex' } as Integration

it('names an agent by its own name, and the key of one that gives another name', () => {
  expect(nameAgent({ agentId: 'codex', integrationId: id }, integration)).toBe('codex')
  expect(nameAgent({ agentId: null, integrationId: id }, integration)).toBe('codex')
  expect(nameAgent({ agentId: null, integrationId: id }, { ...integration, agentId: null })).toBe('“Codex on the desk”')
  expect(nameAgent({ agentId: 'scout', integrationId: id }, integration)).toBe('scout (key: “Codex on the desk”)')
  expect(nameAgent({ agentId: 'you', integrationId: id }, integration)).toBe('“you” (key: “Codex on the desk”)')
  expect(nameAgent({ agentId: 'codex', integrationId: id }, undefined)).toBe('codex')
  expect(nameAgent({ agentId: null, integrationId: id }, undefined)).toBe('a deleted agent')
})
