import { openProfile } from '../auth/store.ts'
import { invalid } from '../core/errors.ts'
import type { CallContext } from './context.ts'
import type { NamedWriter } from './writer.ts'

/** The name under which people write. */
export const personsName = 'user'

/** Who writes: the agent id in the body, otherwise the integration's name, or `user` for a person. */
export function claimedAgentId(
  { actor, instance }: Pick<CallContext, 'actor' | 'instance'>,
  agentId: string | undefined,
): string {
  if (agentId !== undefined) return agentId
  if (actor.kind === 'person') return personsName
  const profile = openProfile(instance, actor, actor.profile)
  const name = profile.agentId ?? profile.label
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
    : { agentId: personsName }),
  route: ctx.request.operation,
  at: ctx.now(),
})
