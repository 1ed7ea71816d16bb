import { openProfile } from '../auth/integration-profile.ts'
import type { AgentContext } from './context.ts'

/** Who writes: what the body claims, else what the integration is called. */
export function claimedAgentId({ actor, instance }: AgentContext, agentId: string | undefined): string {
  if (agentId !== undefined) return agentId
  const profile = openProfile(instance, actor, actor.profile)
  return profile.agentId ?? profile.label
}
