import { expect, it } from 'vitest'
import { routes } from '../api/registry.ts'
import type { RequestClass } from './call.ts'

const namesOf = (requestClass: RequestClass | undefined) =>
  routes.filter((operation) => operation.limitedAs === requestClass).map(({ name }) => name)

it('is search for operations with that scope, and ingest for what hooks send', () => {
  expect(namesOf('search').toSorted()).toEqual([
    'search-and-read',
    'search-memories',
    'search-notes',
    'semantic-search',
  ])
  expect(namesOf('ingest').toSorted()).toEqual(['context-checkpoint', 'ingest-turn', 'session-track'])
})

it('depends on the effect for all other operations of agents', () => {
  expect(namesOf('read')).toEqual(expect.arrayContaining(['info', 'session-start', 'read-memories', 'get-settings']))
  expect(namesOf('write')).toEqual(expect.arrayContaining(['write-memory', 'create-vault', 'ack-message']))
  const counted = ['read', 'write', 'search', 'ingest'] as const
  expect(counted.flatMap(namesOf)).toHaveLength(routes.filter(({ audience }) => audience === 'agent').length)
})

it('is the same for all operations of people, and unset for the operator and for anyone', () => {
  const kinds = new Set(routes.map((operation) => `${operation.audience} ${operation.limitedAs ?? 'none'}`))
  expect([...kinds].filter((kind) => !kind.startsWith('agent')).toSorted()).toEqual([
    'anyone none',
    'operator none',
    'person person',
  ])
})
