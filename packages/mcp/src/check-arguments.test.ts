import { describe, expect, it } from 'vitest'
import { checkArguments } from './check-arguments.ts'
import { objectSchema } from './schema.ts'

const schema = objectSchema(
  {
    query: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
    ids: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string' } },
    status: { type: 'string', enum: ['todo', 'in_progress'] },
    deep: { type: 'boolean' },
    until: { type: 'string', nullable: true },
    edits: {
      type: 'array',
      items: { type: 'object', properties: { find: { type: 'string' }, at: { type: 'integer' } }, required: ['find'] },
    },
    vault: { type: 'string' },
  },
  ['query'],
)
const check = (given: Record<string, unknown>) => checkArguments(schema, { query: 'x', ...given })

describe('arguments', () => {
  it('that match stay unchanged', () => {
    const given = { query: 'x', limit: 3, ids: ['a'], status: 'todo', deep: false, edits: [{ find: 'a', at: 1 }] }
    expect(checkArguments(schema, given)).toEqual(given)
  })

  it.each([
    [{ limit: '7' }, { limit: 7 }],
    [{ ids: 'a' }, { ids: ['a'] }],
    [{ ids: '["a","b"]' }, { ids: ['a', 'b'] }],
    [{ status: 'In Progress' }, { status: 'in_progress' }],
    [{ deep: 'TRUE' }, { deep: true }],
    [{ query: 5 }, { query: '5' }],
    [{ edits: { find: 'a', at: '2' } }, { edits: [{ find: 'a', at: 2 }] }],
    [{ edits: [{ find: 'a', at: null, more: 1 }] }, { edits: [{ find: 'a', more: 1 }] }],
    [{ limit: null, deep: undefined }, {}],
    [{ until: null }, { until: null }],
    [{ vaultId: 'app' }, { vault: 'app' }],
    [{ topK: 4 }, { limit: 4 }],
  ])('%j are converted', (given, meant) => {
    expect(check(given)).toEqual({ query: 'x', ...meant })
  })

  it.each([
    [{ limit: 51 }, 'limit: must be 1 to 50 (got 51).'],
    [{ limit: 'many' }, 'limit: must be a whole number.'],
    [{ limit: 1.5 }, 'limit: must be a whole number.'],
    [{ ids: [] }, 'ids: must have 1 to 3 items (got 0).'],
    [{ ids: [{}] }, 'ids.0: must be a string.'],
    [{ status: 'toodo' }, 'status: must be one of todo, in_progress (did you mean todo?).'],
    [{ edits: [{ at: 1 }] }, 'edits.0.find: required (a string).'],
    [{ limt: 3 }, 'limt: no such argument; did you mean limit?'],
    [{ colour: 'red' }, 'colour: no such argument; arguments: query, limit, ids, status, deep, until, edits, vault.'],
    [
      { __proto__x: 1 },
      '__proto__x: no such argument; arguments: query, limit, ids, status, deep, until, edits, vault.',
    ],
    [{ query: null }, 'query: required (a string).'],
    [{ vaultId: 'a', vault: 'b' }, 'vaultId: no such argument; did you mean vault?'],
  ])('%j are rejected', (given, problem) => {
    expect(() => check(given)).toThrow(expect.objectContaining({ code: 'VALIDATION', message: problem }))
  })

  it('names of the object prototype are unknown', () => {
    const given = JSON.parse('{"query":"x","constructor":1,"__proto__":2,"toString":3}') as Record<string, unknown>
    expect(() => checkArguments(schema, given)).toThrow(/constructor: no such argument.*toString: no such argument/)
  })

  it('all problems are reported together', () => {
    expect(() => checkArguments(schema, { limt: 1, limit: 99 })).toThrow(
      'limt: no such argument; did you mean limit?; limit: must be 1 to 50 (got 99); query: required (a string).',
    )
  })

  it('leaves values to the server on request, but still checks names', () => {
    const given = { query: 'x', limit: 99, ids: [{ id: 'a' }], status: 'else' }
    expect(checkArguments(schema, given, { leavesValues: true })).toEqual(given)
    expect(() => checkArguments(schema, { query: 'x', limt: 1 }, { leavesValues: true })).toThrow('limt')
  })
})
