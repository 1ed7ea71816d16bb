import { openProfile } from '../auth/integration-profile.ts'
import { invalid } from '../core/errors.ts'
import type { CallContext } from './context.ts'

/** The name under which people write. */
export const personsName = 'user'

/** Who writes: what the body claims, else what the integration is called, or `user` for a person. */
export function claimedAgentId({ actor, instance }: CallContext, agentId: string | undefined): string {
  if (agentId !== undefined) return agentId
  if (actor.kind === 'person') return personsName
  const profile = openProfile(instance, actor, actor.profile)
  const name = profile.agentId ?? profile.label
  // Labels of former versions could be anything: nobody passes for the person, nor gets what is said to all.
  if (name === personsName || name === '*')
    throw invalid({ agentId: 'required while the integration is labelled "user" or "*": give it another label' })
  return name
}
