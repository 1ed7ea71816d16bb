import * as fields from './fields.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseInput, readQuery } from './parse-input.ts'

const input = z.object({
  text: z.string().min(8).max(10).optional(),
  one: z.string().min(1).optional(),
  whole: z.int().min(1).max(5).optional(),
  share: z.number().optional(),
  flag: z.boolean().optional(),
  id: z.uuid().optional(),
  ids: fields.memoryIds.optional(),
  at: fields.timestamp.optional(),
  kind: z.enum(['red', 'blue']).optional(),
  undo: z.literal(false).optional(),
  either: z.array(z.union([z.uuid(), z.object({ size: z.int() })])).optional(),
  named: z.string().regex(/^a/, 'must begin with a').optional(),
  agentId: fields.common.agentId,
})

describe('validation messages', () => {
  it.each<[field: string, value: unknown, words: string]>([
    ['text', 'short', 'must be at least 8 characters'],
    ['text', 'x'.repeat(11), 'must be at most 10 characters'],
    ['text', '😀'.repeat(8), 'must be at most 10 characters (counted in UTF-16 units)'],
    ['text', 7, 'must be a string'],
    ['one', '', 'must be at least 1 character'],
    ['whole', 0, 'must be at least 1'],
    ['whole', 6, 'must be at most 5'],
    ['whole', 1.5, 'must be a whole number'],
    ['whole', 'x', 'must be a number'],
    ['share', 'x', 'must be a number'],
    ['flag', 'yes', 'must be true or false'],
    ['id', 'x', 'must be a UUID, such as 0198c5f0-0000-7000-8000-000000000001'],
    ['ids', [], 'must have at least 1 item'],
    ['ids', 'x', 'must be an array'],
    ['at', 'tomorrow', 'must be a time in ISO 8601 with its zone, such as 2026-11-21T09:00:00Z'],
    ['at', '2026-11-21', 'must be a time in ISO 8601 with its zone, such as 2026-11-21T09:00:00Z'],
    ['kind', 'green', 'must be one of red, blue'],
    ['undo', true, 'must be false'],
    ['named', 'b', 'must begin with a'],
    ['agentId', 'user', fields.notReserved],
    ['agentId', '*', fields.notReserved],
    ['agentId', 'us\u200ber', fields.notReserved],
  ])('for %s = %j: %s', (field, value, words) => {
    expect(parseInput(input, { [field]: value }).fields).toEqual({ [field]: words })
  })

  it('list what a value with several types could be, or the problem of the intended one', () => {
    expect(parseInput(input, { either: [7] }).fields).toEqual({ 'either.0': 'must be a string or an object' })
    expect(parseInput(input, { either: [{ size: 'x' }] }).fields).toEqual({ 'either.0.size': 'must be a number' })
  })

  it('say that a field is required', () => {
    expect(parseInput(z.object({ text: z.string() }), {}).fields).toEqual({ text: 'required (string)' })
  })
})

it('reject an input that is too long by its length, before checking its content', () => {
  const items = Array.from({ length: 51 }, () => ({}))
  expect(parseInput(input, { ids: items, one: '' }).fields).toEqual({ ids: 'must have at most 50 items' })
  const own = z.object({ metadata: fields.metadata })
  const flat = { deep: [Array.from({ length: 40_000 }, () => 1)] }
  expect(parseInput(own, { metadata: flat }).fields).toEqual({ metadata: 'contains more than 32768 values' })
  expect(parseInput(own, { metadata: { deep: [[1, { a: 2 }]] } }).data).toEqual({ metadata: { deep: [[1, { a: 2 }]] } })
})

const listInput = z.object({
  limit: z.int().default(20),
  share: z.number().optional(),
  failed: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  sizes: z.array(z.int()).optional(),
  q: z.string().max(10).optional(),
})

it('normalize texts according to the contract', () => {
  const query = { limit: '7', share: '-0.5', failed: 'false', tags: 'one', sizes: ['1', '2'], q: '7' }
  expect(readQuery(listInput, query)).toEqual({
    limit: 7,
    share: -0.5,
    failed: false,
    tags: ['one'],
    sizes: [1, 2],
    q: '7',
  })
})

it('leave values that match no type to the contract', () => {
  const query = { limit: '7x', failed: 'yes', q: ['a', 'b'], other: '1' }
  expect(readQuery(listInput, query)).toEqual(query)
})
