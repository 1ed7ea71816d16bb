import type { Services } from '../operation/context.ts'
import { maxSealsPerKey } from './stored-keys.ts'

type Deps = Pick<Services, 'db' | 'instance'>

/** Adds what this process has sealed with the keys of the instance to what all servers have. Once that is `maxSeals`, the next generation is to seal. */
export async function countInstanceSeals({ db, instance }: Deps, maxSeals = maxSealsPerKey): Promise<void> {
  const { current } = instance.keys
  const cells = instance.keys.takeSeals()
  if (cells === 0) return
  await db.write(async (tx) => {
    // Cells of a former generation don't count: it seals no more.
    await tx
      .updateTable('instance')
      .set((row) => ({ instanceKeySeals: row('instanceKeySeals', '+', cells) }))
      .where('instanceKeyGeneration', '=', current)
      .execute()
    await tx
      .updateTable('instance')
      .set((row) => ({ instanceKeyGeneration: row('instanceKeyGeneration', '+', 1), instanceKeySeals: 0 }))
      .where('instanceKeySeals', '>=', maxSeals)
      .execute()
  })
}

/** Lets the generation seal that is to seal, which this server or another one has decided. */
export async function useNewestInstanceKeys({ db, instance }: Deps): Promise<void> {
  const row = await db.read.selectFrom('instance').select('instanceKeyGeneration').executeTakeFirstOrThrow()
  const { instanceKeyGeneration: newest } = row
  if (newest !== instance.keys.current) instance.keys = instance.keys.sealingWith(newest)
}
