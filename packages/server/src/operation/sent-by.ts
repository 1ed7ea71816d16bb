import { z } from 'zod'
import { findProfiles, type IntegrationProfile } from '../auth/store.ts'
import type { CallContext } from './context.ts'

/** The integration whose key made a call, as the server knows it: what it wrote may give another name. */

export const sentBy = z
  .looseObject({
    integrationId: z.uuid(),
    label: z.string().nullable().describe('Its label; null if it was deleted.'),
    agentId: z.string().nullable().describe('Its own agent id.'),
  })
  .nullable()

export type SentBy = z.infer<typeof sentBy>

export type Integrations = ReadonlyMap<string, IntegrationProfile>

/** The names of these integrations, without deleted ones. */
export const nameIntegrations = (
  { db, instance, actor }: Pick<CallContext, 'db' | 'instance' | 'actor'>,
  ids: Iterable<string | undefined>,
): Promise<Integrations> =>
  findProfiles(
    db.read,
    instance,
    actor.userId,
    [...new Set(ids)].filter((id) => id !== undefined),
  )

export function describeSentBy(integrations: Integrations, integrationId: string | undefined): SentBy {
  if (integrationId === undefined) return null
  const profile = integrations.get(integrationId)
  return { integrationId, label: profile?.label ?? null, agentId: profile?.agentId ?? null }
}

/** What readers need to know if an integration wrote under a name that isn't its own; undefined if it is. */
export function keyLabelOf(by: SentBy, agentId: string | null): string | undefined {
  if (by === null || agentId === null || agentId === (by.agentId ?? by.label)) return undefined
  return by.label ?? 'deleted'
}

export const keyLabel = z
  .string()
  .optional()
  .describe('Label of the integration that wrote it, if agentId is not its own name.')
