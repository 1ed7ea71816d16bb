import { expect, it } from 'vitest'
import { routes } from './operations.ts'
import { typesBehind } from './changed-lists.ts'
import { changeTypes } from '../generated/public-operations.ts'

const reading = Object.entries(routes)
  .filter(([, { method }]) => method === 'GET')
  .map(([name]) => name)

it('knows for each list what it is made of', () => {
  expect(typesBehind('browse-memories')).toEqual(['memories'])
  expect(typesBehind('list-webhook-deliveries')).toContain('webhooks')
  expect(typesBehind('browse-vaults')).toContain('memories')
  expect(typesBehind('read-graph')).toContain('links')
})

it('has what a start page or a log tells refreshed by everything', () => {
  for (const name of ['read-overview', 'browse-activity']) expect(typesBehind(name)).toEqual(changeTypes)
})

it('leaves alone what somebody asked for once', () => {
  for (const name of ['explain-search', 'preview-context', 'suggest-notes']) expect(typesBehind(name)).toEqual([])
})

it('tells news of every type to some list', () => {
  const told = new Set(
    reading
      .map(typesBehind)
      .filter((types) => types !== changeTypes)
      .flat(),
  )
  expect([...changeTypes].filter((type) => !told.has(type))).toEqual([])
})
