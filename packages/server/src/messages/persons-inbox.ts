import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import type { PersonContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { findVaultKeys } from '../vaults/store.ts'
import { personsBoxes, type Inbox } from './inbox-store.ts'
import { categories } from './message.ts'
import { openInbox } from './open-inbox.ts'

/** What the person can see of messages: all that lie in their vaults, and how they ask for some of them. */

export const inboxFilter = {
  vaultId: z.uuid().optional().describe('Only messages of this vault. Default: those of all of your vaults.'),
  box: z
    .enum(personsBoxes)
    .default('received')
    .describe('What you have received, what you have sent, what agents sent each other, or all.'),
  status: z
    .enum(['pending', 'acknowledged', 'all'])
    .default('all')
    .describe('Only messages that you have, or have not, acknowledged; of those not to you, that anyone has.'),
  category: z.enum(categories).optional().describe('Only messages of this category.'),
  priorityMin: fields.importance.optional().describe('Only messages of this priority or more.'),
  agentId: fields.agentName.optional().describe('Only messages from or to this agent.'),
}

/** Of one vault, or of all; 404 where the vault is not theirs. */
export async function openPersonsInbox(ctx: PersonContext, vaultId: string | undefined): Promise<Inbox> {
  const { db, actor } = ctx
  if (vaultId !== undefined && (await findVaultKeys(db.read, actor.userId, vaultId)) === undefined)
    throw notFound('Vault')
  return openInbox(ctx, 'read', { vaultId })
}
