import type { PersonActor } from '../auth/actor.ts'
import { findProfiles, openProfile, type IntegrationProfile } from '../auth/store.ts'
import { forbidden, invalid } from '../core/errors.ts'
import { lookAlike } from '../core/reserved-names.ts'
import type { AgentContext, CallContext } from './context.ts'
import type { NamedWriter } from './writer.ts'

/** The name under which people write in their own vaults. */
export const personsName = 'user'

/** In a vault of someone else, their id says who it was. */
const membersName = `${personsName}:`

export const isMembersName = (name: string | undefined): name is string => name?.startsWith(membersName) === true

/** No agent can have such a name. */
export const isPersonsName = (name: string | undefined): boolean => name === personsName || isMembersName(name)

const nameOfPerson = ({ isMember, userId }: PersonActor): string =>
  isMember === true ? `${membersName}${userId}` : personsName

/** Who writes: the agent id in the body, otherwise the integration's name, or that of the person. */
export function claimedAgentId(
  { actor, instance }: Pick<CallContext, 'actor' | 'instance'>,
  agentId: string | undefined,
): string {
  if (agentId !== undefined) return agentId
  if (actor.kind === 'person') return nameOfPerson(actor)
  const profile = openProfile(instance, actor, actor)
  const name = ownName(profile)
  // Labels of earlier versions could be anything, but no agent may pass for the person or receive what is sent to everyone.
  if (name === personsName || name === '*')
    throw invalid({ agentId: 'required, because the integration is labelled "user" or "*"; give it another label' })
  return name
}

/** What a call knows about its writer. */
export type WriterContext = Pick<CallContext, 'actor' | 'instance' | 'request' | 'now'>

/** Who makes a change in this call. People have no runs, and one name. */
export const writerOf = (
  ctx: WriterContext,
  { agentId, agentRunId }: { agentId?: string | undefined; agentRunId?: string | undefined } = {},
): NamedWriter => ({
  ...(ctx.actor.kind === 'agent'
    ? {
        integrationId: ctx.actor.integrationId,
        agentId: claimedAgentId(ctx, agentId),
        agentRunId: agentRunId ?? ctx.request.runId,
      }
    : { agentId: nameOfPerson(ctx.actor) }),
  route: ctx.request.operation,
  at: ctx.now(),
})

/** The name of an integration's agent if a call doesn't give one. */
const ownName = ({ agentId, label }: IntegrationProfile): string => agentId ?? label

/**
 * Refuses a call under the name of another agent. A pinned integration can act only as its own agent and as those that the person has
 * listed (`actsAs`); no other call can give the name of a pinned integration, or one that looks like it. Integrations to which the person
 * gave the same name share it.
 */
export async function refuseForeignName(
  { actor, db, instance }: Pick<AgentContext, 'actor' | 'db' | 'instance'>,
  agentId: string,
): Promise<void> {
  const profile = openProfile(instance, actor, actor)
  if (agentId === ownName(profile) || profile.actsAs?.includes(agentId)) return
  if (profile.agentIds === 'pinned') throw forbidden(isPinned)
  for (const [id, other] of await findProfiles(db.read, instance, actor.userId))
    if (id !== actor.integrationId && other.agentIds === 'pinned' && lookAlike(agentId, ownName(other)))
      throw forbidden(isTaken)
}

const askPerson =
  'or ask the person to add this name to "Can also act as" of this integration, under Agents in the dashboard'

const isPinned = `This key can only act as its own agent. Leave agentId out, ${askPerson}`

const isTaken = `This agentId belongs to another integration. Choose another, ${askPerson}`
