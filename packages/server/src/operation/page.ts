import { z } from 'zod'

/** What every list says beside its rows. */
export const page = { total: z.int(), limit: z.int(), offset: z.int(), hasMore: z.boolean() }

/** The page that was asked for, of `total` rows. */
export const pageOf = ({ limit, offset }: { limit: number; offset: number }, total: number) => ({
  total,
  limit,
  offset,
  hasMore: offset + limit < total,
})
