import { openProfile } from '../auth/integration-profile.ts'
import type { CallerContext } from './context.ts'

/** The name under which people write. */
export const personsName = 'user'

/** Who writes: what the body claims, else what the integration is called, or `user` for a person. */
export function claimedAgentId({ actor, instance }: CallerContext, agentId: string | undefined): string {
  if (agentId !== undefined) return agentId
  if (actor.kind === 'dashboard') return personsName
  const profile = openProfile(instance, actor, actor.profile)
  return profile.agentId ?? profile.label
}
