import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { nameAgents } from '../memories/count-facets.ts'
import { keyedIn } from '../memories/find-page.ts'
import { personsName } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { listAgents } from '../runs/agent-store.ts'
import { choiceTest, groupByAgent, slotsOf } from '../vault-index/choose-items.ts'

const maxAgents = 20

export const agentWork = z
  .array(
    z.looseObject({
      agentId: z.string(),
      memories: z.int().describe('That it wrote since then and that are still there.'),
      runs: z.int().describe('Its runs since then.'),
      toolCalls: z.int().describe('Calls in these runs from their beginning, and without a run.'),
      lastSeenAt: fields.timestamp.nullable().describe('Null if it only wrote before calls were counted.'),
    }),
  )
  .describe('What each agent did since then, at most 20, the most active first.')

type Work = z.input<typeof agentWork>[number]

/** Agents by what they wrote and by their calls. */
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
  const seen = await listAgents(db.read, vault, { since, limit: maxAgents, offset: 0 })
  for (const { agentId, runs: count, allCalls, lastSeenAt } of seen) {
    const memories = work.get(agentId)?.memories ?? 0
    work.set(agentId, { agentId, memories, runs: count, toolCalls: allCalls, lastSeenAt: isoTime(lastSeenAt) })
  }
  return [...work.values()].toSorted(byActivity).slice(0, maxAgents)
}

const byActivity = (a: Work, b: Work): number =>
  b.toolCalls + b.memories - (a.toolCalls + a.memories) || (a.agentId < b.agentId ? -1 : 1)
