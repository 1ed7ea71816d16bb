import { expect, it } from 'vitest'
import { z } from 'zod'
import { readQuery } from './read-query.ts'

const input = z.object({
  limit: z.int().default(20),
  share: z.number().optional(),
  failed: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  sizes: z.array(z.int()).optional(),
  q: z.string().max(10).optional(),
})

it('reads texts as the contract has them', () => {
  const query = { limit: '7', share: '-0.5', failed: 'false', tags: 'one', sizes: ['1', '2'], q: '7' }
  expect(readQuery(input, query)).toEqual({
    limit: 7,
    share: -0.5,
    failed: false,
    tags: ['one'],
    sizes: [1, 2],
    q: '7',
  })
})

it('leaves what fits nothing for the contract to refuse', () => {
  const query = { limit: '7x', failed: 'yes', q: ['a', 'b'], other: '1' }
  expect(readQuery(input, query)).toEqual(query)
})
