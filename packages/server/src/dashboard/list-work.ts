import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { nameAgents } from '../memories/count-facets.ts'
import { keyedIn } from '../memories/find-page.ts'
import { personsName } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { sumRuns } from '../runs/run-store.ts'
import { choiceTest, groupByAgent, slotsOf } from '../vault-index/choose-items.ts'

const maxAgents = 20

export const agentWork = z
  .array(
    z.looseObject({
      agentId: z.string(),
      memories: z.int().describe('That it wrote since then and that are still there.'),
      runs: z.int().describe('That were heard of since then.'),
      toolCalls: z.int().describe('In these runs, from their beginning.'),
      lastSeenAt: fields.timestamp.nullable().describe('In a run; null where it writes without one.'),
    }),
  )
  .describe('What each agent did since then, at most 20, the most active first.')

type Work = z.input<typeof agentWork>[number]

/** By what agents wrote, and by their runs; one that only reads, without a run, leaves no trace. */
export async function listWork(ctx: VaultContext, since: number): Promise<Work[]> {
  const { db, vault, indexes, runs, now } = ctx
  await runs.flush(vault.id)
  const groups = await indexes.read(vault, (index) => {
    const choice = { state: 'all' as const, at: now(), kinds: ['memory'], createdAfter: since }
    return groupByAgent(index, slotsOf(index, choiceTest(index, choice, keyedIn(vault))), maxAgents)
  })
  const work = new Map<string, Work>()
  for (const { value, count } of await nameAgents(ctx, groups))
    if (value !== personsName)
      work.set(value, { agentId: value, memories: count, runs: 0, toolCalls: 0, lastSeenAt: null })
  for (const { latest, runs: count, toolCalls } of await sumRuns(db.read, vault, { since, limit: maxAgents })) {
    const { agentId, lastSeenAt } = latest
    const memories = work.get(agentId)?.memories ?? 0
    work.set(agentId, { agentId, memories, runs: count, toolCalls, lastSeenAt: isoTime(lastSeenAt) })
  }
  return [...work.values()].toSorted(byActivity).slice(0, maxAgents)
}

const byActivity = (a: Work, b: Work): number =>
  b.toolCalls + b.memories - (a.toolCalls + a.memories) || (a.agentId < b.agentId ? -1 : 1)
