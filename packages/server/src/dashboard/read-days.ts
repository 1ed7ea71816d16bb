import { z } from 'zod'
import { sumCallsByDay } from '../calls/call-count-store.ts'
import { dayMs, dayOf } from '../core/time.ts'
import { keyedIn } from '../memories/find-page.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import { choiceTest, slotsOf } from '../vault-index/choose-items.ts'

const shownDays = 30

/** The operations by which agents recall memories. */
const recallOperations = ['search-memories', 'semantic-search', 'search-and-read', 'session-start'] as const

export const overviewDays = z
  .array(
    z.looseObject({
      day: z.iso.date().describe('In UTC.'),
      written: z
        .int()
        .describe('Memories, tasks and notes of the vault that were created on this day and still exist.'),
      recalls: z.int().describe('Searches and session starts by your agents, in all your vaults.'),
    }),
  )
  .describe(`The last ${shownDays} days, oldest first.`)

type Days = z.input<typeof overviewDays>

export async function readDays(
  ctx: Pick<PersonVaultContext, 'actor' | 'db' | 'vault' | 'indexes'>,
  at: number,
): Promise<Days> {
  const days = Array.from({ length: shownDays }, (_, past) => dayOf(at - past * dayMs)).toReversed()
  const [firstDay = '', lastDay = ''] = [days[0], days.at(-1)]
  const written = await countWritten(ctx, Date.parse(firstDay), at)
  const recalls = new Map<string, number>()
  for (const operation of recallOperations) {
    const filter = { userId: ctx.actor.userId, firstDay, lastDay, integrationId: undefined, operation }
    for (const { day, calls } of await sumCallsByDay(ctx.db.read, filter))
      recalls.set(day, (recalls.get(day) ?? 0) + calls)
  }
  return days.map((day) => ({ day, written: written.get(day) ?? 0, recalls: recalls.get(day) ?? 0 }))
}

function countWritten(
  { vault, indexes }: Pick<PersonVaultContext, 'vault' | 'indexes'>,
  since: number,
  at: number,
): Promise<Map<string, number>> {
  return indexes.read(vault, (index) => {
    const choice = { state: 'all' as const, at, kinds: ['memory', 'note'], createdAfter: since }
    const { createdAt } = index.parts.facts.arrays
    const counts = new Map<string, number>()
    for (const slot of slotsOf(index, choiceTest(index, choice, keyedIn(vault)))) {
      const day = dayOf(createdAt[slot] as number)
      counts.set(day, (counts.get(day) ?? 0) + 1)
    }
    return counts
  })
}
