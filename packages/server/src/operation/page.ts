import { z } from 'zod'

/** What every list returns besides its rows. */
export const page = { total: z.int(), limit: z.int(), offset: z.int(), hasMore: z.boolean() }

export const pageOf = ({ limit, offset }: { limit: number; offset: number }, total: number) => ({
  total,
  limit,
  offset,
  hasMore: offset + limit < total,
})
