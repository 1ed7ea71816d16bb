import { z } from 'zod'

/** What every list returns besides its rows. */
export const page = { total: z.int(), limit: z.int(), offset: z.int(), hasMore: z.boolean() }

/** What a list of records also returns if it leaves some out. */
export const leftOut = {
  leftOut: z
    .looseObject({ damagedIds: z.array(z.uuid()) })
    .optional()
    .describe(
      'Records of this page that are damaged, so they are left out. Delete them permanently, or restore a backup.',
    ),
}

export const describeLeftOut = (ids: ReadonlySet<string>) =>
  ids.size === 0 ? {} : { leftOut: { damagedIds: [...ids] } }

export const pageOf = ({ limit, offset }: { limit: number; offset: number }, total: number) => ({
  total,
  limit,
  offset,
  hasMore: offset + limit < total,
})
