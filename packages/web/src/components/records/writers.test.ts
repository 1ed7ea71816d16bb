import { expect, it } from 'vitest'
import { nameOfAuthor, nameOfMover } from './agent-names.ts'
import { nameWriter, nameWriters } from './writers.ts'

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

it('never takes a claim of a file for a known agent or for you', () => {
  const claim = (agentId: string | null) => ({ agentId, integrationId: null, route: 'import', trust: 'imported' })
  const ofFile = (by: string | null, changedBy: Parameters<typeof nameWriters>[0]['changedBy']) =>
    nameWriters({ agentId: by, source: claim(by), changedBy })
  expect(ofFile('codex', null)).toBe('imported, by codex')
  expect(ofFile(null, claim('codex'))).toBe('an imported file')
  expect(ofFile('codex', claim('gardener'))).toBe('imported, by codex')
  expect(ofFile('codex', person)).toBe('imported, by codex, changed by you')
  expect(nameWriters({ agentId: 'codex', source: { ...codex, trust: 'imported' }, changedBy: claim('gardener') })).toBe(
    'codex',
  )
  expect(nameWriter(claim('user'))).toBe('imported, by user')
  expect([
    nameOfAuthor({ agentId: 'codex', source: claim('codex') }),
    nameOfAuthor({ agentId: null, source: claim(null) }),
  ]).toEqual(['Imported, by codex', 'Imported'])
  expect(nameOfAuthor({ agentId: 'codex', source: { route: 'write-memory' } })).toBe('codex')
  const task = { source: { route: 'import-task' } }
  expect(nameOfMover(task, { agentId: 'codex' })).toBe('Imported, by codex')
  expect(nameOfMover(task, { agentId: 'imported' })).toBe('Imported')
  expect(nameOfMover(task, codex)).toBe('codex')
  expect(nameOfMover(task, { agentId: 'user' })).toBe('You')
})

it('quotes the names of agents that could be read as yours', () => {
  for (const agentId of ['you', 'You', 'you ', 'уou', 'codex, changed by you', 'you and agents', 'you”'])
    expect(text({ ...codex, agentId }, null, 'agent_authored')).toMatch(/^“[^“”]*”$/)
})

it('names the key of an agent that gave the name of another', () => {
  const source = {
    integrationId: codex.integrationId,
    keyLabel: 'Evil',
    route: 'write-memory',
    trust: 'agent_authored',
  }
  const changedBy = { ...codex, agentId: 'gardener', keyLabel: 'you' }
  expect(nameWriters({ agentId: 'codex', source, changedBy })).toBe(
    'codex (key: Evil), changed by gardener (key: “you”)',
  )
  expect(nameOfAuthor({ agentId: 'codex', source })).toBe('codex (key: Evil)')
  expect(nameOfMover({ source }, { ...codex, keyLabel: 'Evil' })).toBe('codex (key: Evil)')
})

it('shows nothing hidden in the names of former records and files', () => {
  const source = { ...codex, keyLabel: 'Ev\u3164il', route: 'write-memory', trust: 'agent_authored' }
  expect(nameWriters({ agentId: 'co\u200bdex\u202e', source, changedBy: null })).toBe('codex (key: Evil)')
  expect(nameOfAuthor({ agentId: 'co\u{e0041}dex', source: { route: 'import' } })).toBe('Imported, by codex')
  expect(nameWriters({ agentId: '👩‍💻', source: { ...source, keyLabel: undefined }, changedBy: null })).toBe('“👩‍💻”')
})
