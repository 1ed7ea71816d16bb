import { z } from 'zod'
import { findProfiles, openProfile, type IntegrationProfile } from '../auth/store.ts'
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

/** A call in a vault, whose integrations belong to its owner, or outside of vaults. */
type Context = Pick<CallContext, 'db' | 'instance' | 'actor'> & { vault?: { userId: string } }

/** The names of these integrations, without deleted ones. */
export async function nameIntegrations(
  { db, instance, actor, vault }: Context,
  ids: Iterable<string | null | undefined>,
): Promise<Integrations> {
  const wanted = new Set(ids)
  // The caller's own is known, and most agents mostly read what they wrote.
  const own = actor.kind === 'agent' && wanted.delete(actor.integrationId) ? actor : undefined
  const others = [...wanted].filter((id) => typeof id === 'string')
  const profiles = await findProfiles(db.read, instance, vault?.userId ?? actor.userId, new Set(others))
  return own === undefined ? profiles : profiles.set(own.integrationId, openProfile(instance, own, own))
}

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

/** Who did something to a record, as answers say it. */
interface Named {
  agentId: string | null
  integrationId?: string | null | undefined
  keyLabel?: string | undefined
}

/** Every place of a record or version that names who shaped it. */
interface Signed {
  agentId?: string | null
  source?: Omit<Named, 'agentId'> | null
  changedBy?: Named | null
  removedBy?: Named | null
  writtenBy?: Named
  blockedBy?: Named | undefined
  statusHistory?: Named[]
}

/**
 * Adds to records, which were described for this answer, the label of the integration next to each name that isn't its own: an agent can
 * give the name of another one, and a reader has to see whose key it was.
 */
export async function addKeyLabels(ctx: Context, records: readonly Signed[]): Promise<void> {
  const ids = signaturesOf(records).map(({ by }) => by.integrationId)
  addKnownLabels(await nameIntegrations(ctx, ids), records)
}

/** The same with the names of all integrations that shaped these records. */
export function addKnownLabels(integrations: Integrations, records: readonly Signed[]): void {
  for (const { by, name } of signaturesOf(records)) {
    const label = keyLabelOf(describeSentBy(integrations, by.integrationId ?? undefined), name)
    if (label !== undefined) by.keyLabel = label
  }
}

const signaturesOf = (records: readonly Signed[]) =>
  records.flatMap(({ agentId = null, source, changedBy, removedBy, writtenBy, blockedBy, statusHistory = [] }) => [
    ...(source ? [{ by: source, name: agentId }] : []),
    ...[changedBy, removedBy, writtenBy, blockedBy, ...statusHistory].flatMap((by) =>
      by ? { by, name: by.agentId } : [],
    ),
  ])
