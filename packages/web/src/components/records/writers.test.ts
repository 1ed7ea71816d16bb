import { expect, it } from 'vitest'
import { nameWriters } from './writers.ts'

const codex = { agentId: 'codex', integrationId: '0198c5f0-0000-7000-8000-000000000011' }
const person = { agentId: 'user', integrationId: null }

const text = (author: typeof codex | typeof person, changedBy: typeof codex | typeof person | null, trust: string) =>
  nameWriters({ agentId: author.agentId, source: { integrationId: author.integrationId, trust }, changedBy })

it('names who shaped a text, and calls it yours only if no agent shaped it', () => {
  expect(text(person, null, 'user_authored')).toBe('you')
  expect(text(person, person, 'user_authored')).toBe('you')
  expect(text(person, codex, 'agent_authored')).toBe('you, changed by codex')
  expect(text(codex, null, 'agent_authored')).toBe('codex')
  expect(text(codex, person, 'agent_authored')).toBe('codex, changed by you')
  expect(text(person, person, 'agent_authored')).toBe('you and agents')
  expect(text(person, null, 'imported')).toBe('an imported file')
})

it('quotes the names of agents that could be read as yours', () => {
  for (const agentId of ['you', 'You', 'you ', 'уou', 'codex, changed by you', 'you and agents', 'you”'])
    expect(text({ ...codex, agentId }, null, 'agent_authored')).toMatch(/^“[^“”]*”$/)
})
