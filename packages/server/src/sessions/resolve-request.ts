import type { z } from 'zod'
import type { VaultContext } from '../operation/context.ts'
import { openSettings } from '../vaults/settings-store.ts'
import type { SessionRequest } from './gather-parts.ts'
import { profiles } from './profiles.ts'
import type { sessionFields } from './session-contract.ts'

type Asked = z.output<z.ZodObject<typeof sessionFields>>

/** What was asked for, else what the vault has for the mode, else what the mode was shipped with. */
export function resolveRequest(
  ctx: VaultContext,
  asked: Asked,
  caller: Pick<SessionRequest, 'agentId' | 'agentRunId' | 'peek'>,
): SessionRequest {
  const settings = openSettings(ctx.vault)
  const mode = asked.mode ?? settings.defaultMode
  const profile = { ...profiles[mode], ...settings.sessionProfiles[mode] }
  return {
    mode,
    query: asked.query,
    summaryOnly: asked.summaryOnly,
    maxEpisodic: asked.maxEpisodic ?? profile.maxEpisodic,
    maxFacts: asked.maxFacts ?? profile.maxFacts,
    maxTasks: asked.maxTasks ?? profile.maxTasks,
    maxConstraints: asked.maxConstraints ?? profile.maxConstraints,
    includeDocuments: [...new Set(asked.includeDocuments ?? profile.includeDocuments)],
    maxResponseChars: asked.maxResponseChars,
    decayHalfLifeDays: settings.decayHalfLife,
    ...caller,
    vaultId: ctx.vault.id,
    at: ctx.now(),
  }
}
