import { z } from 'zod'
import { dayMs } from '../core/time.ts'
import { keyedIn } from '../memories/find-page.ts'
import { countArchivedSince } from '../memories/list-store.ts'
import type { VaultContext } from '../operation/context.ts'
import { choiceTest, slotsOf } from '../vault-index/choose-items.ts'
import { countRecords } from '../vaults/count-store.ts'

const added = z.int().describe('Made in the last 7 days, and still live.')

export const kindCounts = z.looseObject({
  memories: z.looseObject({
    total: z.int().describe('Live ones, tasks among them.'),
    added,
    archived: z.int().describe('Archived in the last 7 days, and still there.'),
  }),
  notes: z.looseObject({ total: z.int(), added }),
  tasks: z.looseObject({
    open: z.int(),
    added: added.describe('Made in the last 7 days, and still live, done or not.'),
  }),
})

/** How much the vault holds, and how much of it is new. */
export async function countKinds(
  { db, vault, indexes }: Pick<VaultContext, 'db' | 'vault' | 'indexes'>,
  at: number,
): Promise<z.input<typeof kindCounts>> {
  const since = at - 7 * dayMs
  const counts = (await countRecords(db.read, vault.userId, [vault.id], at)).get(vault.id)
  const made = await indexes.read(vault, (index) => {
    const count = (kind: string, types?: readonly string[]) => {
      const choice = { state: 'live' as const, at, kinds: [kind], createdAfter: since, ...(types && { types }) }
      return slotsOf(index, choiceTest(index, choice, keyedIn(vault))).length
    }
    return { memories: count('memory'), notes: count('note'), tasks: count('memory', ['task']) }
  })
  return {
    memories: {
      total: counts?.memoryCount ?? 0,
      added: made.memories,
      archived: await countArchivedSince(db.read, vault, since),
    },
    notes: { total: counts?.noteCount ?? 0, added: made.notes },
    tasks: { open: counts?.openTaskCount ?? 0, added: made.tasks },
  }
}
