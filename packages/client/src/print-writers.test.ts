import { expect, it } from 'vitest'
import { nameWriters, printWriters, writersOf } from './print-writers.ts'

const mine = { agentId: 'user', source: { integrationId: null, trust: 'user_authored' }, changedBy: null }
const codex = { integrationId: 'c', agentId: 'codex', route: 'update-memory' }
const print = (record: Parameters<typeof writersOf>[0]) => printWriters(writersOf(record))
const lowered = { integrationId: null, trust: 'agent_authored' }

it('names the author, and who changed it last', () => {
  expect(print(mine)).toBe('by the person')
  expect(print({ ...mine, source: lowered, changedBy: codex })).toBe('by the person, changed by codex')
  expect(print({ ...mine, source: lowered, changedBy: { ...codex, agentId: null } })).toBe(
    'by the person, changed by update-memory',
  )
  expect(print({ ...mine, agentId: null })).toBe('')
})

it('never calls a text the person’s own if an agent had a hand in it', () => {
  const person = { integrationId: null, agentId: 'user', route: 'update-memories' }
  expect(print({ ...mine, source: lowered, changedBy: person })).toBe('by the person, with changes by agents')
  expect(print({ ...mine, source: { integrationId: null, trust: 'imported' } })).toBe('imported, by the person')
  // Another integration can use the same name.
  const other = { ...codex, integrationId: 'd' }
  expect(print({ agentId: 'codex', source: { integrationId: 'c', trust: 'agent_authored' }, changedBy: other })).toBe(
    'by codex, changed by codex',
  )
})

it('names the key of each agent that gave another name than its own', () => {
  const source = { integrationId: 'd', keyLabel: 'Evil', trust: 'agent_authored' }
  const changedBy = { ...codex, keyLabel: 'by the person' }
  expect(print({ agentId: 'codex', source, changedBy: null })).toBe('by codex (key: Evil)')
  expect(print({ agentId: 'codex', source, changedBy })).toBe(
    'by codex (key: Evil), changed by codex (key: "by the person")',
  )
})

it('names nobody who changed a text only as a file says', () => {
  const claim = { integrationId: null, agentId: 'codex', route: 'import' }
  const imported = { integrationId: null, trust: 'imported' }
  expect(print({ agentId: 'gardener', source: imported, changedBy: claim })).toBe('imported, by gardener')
  expect(print({ agentId: 'gardener', source: imported, changedBy: codex })).toBe(
    'imported, by gardener, changed by codex',
  )
})

it('doesn’t repeat an author that changed its own text in another run', () => {
  expect(print({ agentId: 'codex', source: { integrationId: 'c', trust: 'agent_authored' }, changedBy: codex })).toBe(
    'by codex',
  )
})

it('keeps names on one line', () => {
  expect(printWriters({ agentId: 'a\nb', trust: 'agent_authored', changedBy: 'c\u200b\nd' })).toBe(
    'by "a b", changed by "c d"',
  )
})

it('names them without “by”, for a place that says it', () => {
  const name = (record: Parameters<typeof writersOf>[0]) => nameWriters({ ...record, ...record.source })
  expect(name(mine)).toBe('the person')
  expect(name({ ...mine, source: lowered, changedBy: codex })).toBe('the person, changed by codex')
  expect(name({ ...mine, agentId: null, source: { integrationId: null, trust: 'imported' } })).toBe('imported')
  expect(name({ ...mine, agentId: null })).toBe('an unknown agent')
})
