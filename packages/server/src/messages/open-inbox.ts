import type { VaultScope } from '../crypto/keys.ts'
import { confinedTo, type Scope, scopesIn } from '../auth/vault-access.ts'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import type { CallContext } from '../operation/context.ts'
import { findVaultKeys, listVaultIds } from '../vaults/store.ts'
import type { Party } from './message.ts'
import type { Inbox } from './inbox-store.ts'

/**
 * The caller's inbox: one for all vaults in which the key holds the scope, so that an agent with several vaults misses
 * nothing; or for the one that the call names, which was resolved like that of any other call.
 */
export async function openInbox(
  ctx: CallContext,
  scope: Scope,
  { vaultId, agentId }: { vaultId?: string | undefined; agentId?: string | undefined },
): Promise<Inbox> {
  return {
    userId: ctx.actor.userId,
    vaultIds: vaultId === undefined ? await listVaultsWith(ctx, scope) : [vaultId],
    reader: callerOf(ctx, agentId),
    at: ctx.now(),
  }
}

export const callerOf = (ctx: CallContext, agentId: string | undefined): Party => ({
  type: ctx.actor.kind === 'person' ? 'user' : 'agent',
  id: claimedAgentId(ctx, agentId),
})

async function listVaultsWith({ actor, db }: CallContext, scope: Scope): Promise<string[]> {
  if (actor.kind === 'person') return listVaultIds(db.read, actor.userId)
  const confined = confinedTo(actor)
  const vaultIds = await listVaultIds(db.read, actor.userId)
  return vaultIds.filter((id) => (confined?.includes(id) ?? true) && scopesIn(actor, id).includes(scope))
}

/** The keys of these vaults, each fetched once; a vault that is being erased has none. */
export async function unlockVaults(
  { actor, db, keyring }: CallContext,
  vaultIds: Iterable<string>,
): Promise<Map<string, VaultScope>> {
  const mek = keyring.mek(actor)
  const scopes = new Map<string, VaultScope>()
  for (const id of new Set(vaultIds)) {
    const found = await findVaultKeys(db.read, actor.userId, id)
    if (found === undefined) continue
    scopes.set(id, { id, userId: actor.userId, keys: keyring.vault(mek, actor.userId, id, found.keys) })
  }
  return scopes
}
