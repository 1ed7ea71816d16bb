import { findProfiles, openProfile } from '../auth/store.ts'
import { defaultWritePolicy, type WritePolicy, type WriteRule } from '../auth/write-policy.ts'
import { forbidden } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import { isPersonsName } from '../operation/claimed-agent.ts'
import type { CallContext } from '../operation/context.ts'
import { isFromFile, type Writer } from '../operation/writer.ts'

/** Whether an agent may change what someone else wrote: its integration's policy, applied to one record. */

/**
 * Decides about a change of a record, in the transaction that makes it and just before. Operations pass the policy of their caller; a
 * person's decision passes its own, which says yes or throws.
 */
export type Permit<R> = (tx: Tx, record: R) => WriteRule | Promise<WriteRule>

/** Who wrote a record first, and who last. */
export interface Hands {
  author: Omit<Writer, 'at'>
  last: Omit<Writer, 'at'>
}

export interface PolicyHolder {
  integrationId: string | undefined
  policy: WritePolicy
}

/** Whose policy applies to a call; undefined for people, who may change everything. */
export const policyHolder = ({ actor, instance }: Pick<CallContext, 'actor' | 'instance'>): PolicyHolder | undefined =>
  actor.kind === 'person'
    ? undefined
    : {
        integrationId: actor.integrationId,
        policy: openProfile(instance, actor, actor).writePolicy ?? defaultWritePolicy,
      }

/** The same for a job that writes for an agent. */
export async function findPolicyHolder(
  { db, instance }: Pick<CallContext, 'db' | 'instance'>,
  userId: string,
  integrationId: string | undefined,
): Promise<PolicyHolder> {
  const profiles = await findProfiles(db.read, instance, userId, new Set(integrationId && [integrationId]))
  return { integrationId, policy: profiles.get(integrationId ?? '')?.writePolicy ?? defaultWritePolicy }
}

/** Agents always may change what they wrote, unless a person was the last to change it. */
export function judgeHands(holder: PolicyHolder | undefined, { author, last }: Hands): WriteRule {
  if (holder === undefined) return 'yes'
  if (isPersons(author) || isPersons(last)) return holder.policy.persons
  return author.integrationId === holder.integrationId ? 'yes' : holder.policy.agents
}

/** No agent can have the name under which people write, and what came from a file may name anyone. */
export const isPersons = (writer: Omit<Writer, 'at'>): boolean =>
  writer.integrationId === undefined && isPersonsName(writer.agentId) && !isFromFile(writer)

/** The record that a person decides about. */
export interface AskedRecord {
  type: 'memory' | 'note'
  id: string
  /** What the decision is about. If this differs later, the record has changed. */
  text: string
}

/** Ends the transaction of a change that a person has to decide about. Whoever passed the permit proposes the change instead. */
export class NeedsDecision extends Error {
  readonly record: AskedRecord

  constructor(record: AskedRecord) {
    super('a person decides about this change')
    this.record = record
  }
}

export function enforce(rule: WriteRule | undefined, describe: () => AskedRecord): void {
  if (rule === 'no')
    throw forbidden(
      'This integration may not change what someone else wrote. Write a memory or note of your own instead, or ask the person with send-message (targetId "user")',
    )
  if (rule === 'ask') throw new NeedsDecision(describe())
}
