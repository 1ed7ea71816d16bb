import { openProfile } from '../auth/integration-profile.ts'
import { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { listRecentRuns, type RecentRun } from './run-store.ts'

/** Which agents work in a vault, as their runs tell. An agent without a run id leaves no trace here. */

export const agentRecord = z
  .looseObject({
    agentId: z.string(),
    agentType: z.string().nullable(),
    label: z.string().nullable().describe('Of its integration.'),
    modelId: z.string().nullable(),
    agentRunId: z.string(),
    startedAt: fields.timestamp,
    lastSeenAt: fields.timestamp,
    endedAt: fields.timestamp.nullable().describe('Where it said that it was done.'),
    toolCalls: z.int(),
    currentActivity: z.string().nullable(),
  })
  .meta({ id: 'Agent' })

export type AgentRecord = z.infer<typeof agentRecord>

/** The agents that were heard of in the last minutes, each with its latest run, the latest first. */
export async function recentAgents(
  ctx: VaultContext,
  { withinMinutes, limit }: { withinMinutes: number; limit: number },
): Promise<AgentRecord[]> {
  const { db, vault, now, runs } = ctx
  await runs.flush(vault.id)
  const found = await listRecentRuns(db.read, vault, { since: now() - withinMinutes * 60_000, limit })
  return found.map((run) => describeAgent(ctx, run))
}

export function describeAgent(
  { instance, vault }: Pick<VaultContext, 'instance' | 'vault'>,
  run: RecentRun,
): AgentRecord {
  const { integrationId, profile } = run
  const integration =
    integrationId === undefined || profile === undefined
      ? undefined
      : openProfile(instance, { userId: vault.userId, integrationId }, profile)
  return {
    agentId: run.agentId,
    agentType: integration?.agentType ?? null,
    label: integration?.label ?? null,
    modelId: run.modelId ?? null,
    agentRunId: run.agentRunId,
    startedAt: isoTime(run.startedAt),
    lastSeenAt: isoTime(run.lastSeenAt),
    endedAt: isoTimeOrNull(run.endedAt),
    toolCalls: run.toolCalls,
    currentActivity: run.currentActivity ?? null,
  }
}
