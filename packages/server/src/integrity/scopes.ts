import type { VaultScope } from '../crypto/keys.ts'
import type { Services } from '../operation/context.ts'
import { listScopeIds, openScope, type NoKeys } from './row-store.ts'

/** The keys that one call of a check has opened. A key that is replaced meanwhile ends the call. */
export interface Scopes {
  open(userId: string, scopeId: string): Promise<VaultScope | NoKeys>
  /** The ids of the first vaults of a user that have keys. */
  listIds(userId: string): Promise<readonly string[]>
}

/** A row that is in no vault is tried with the keys of so many. */
const maxTriedVaults = 500

export function createScopes(deps: Pick<Services, 'db' | 'keyring'>): Scopes {
  const opened = new Map<string, VaultScope | NoKeys>()
  const listed = new Map<string, readonly string[]>()
  return {
    async open(userId, scopeId) {
      const known = opened.get(scopeId)
      if (known !== undefined) return known
      const scope = await openScope(deps, userId, scopeId)
      opened.set(scopeId, scope)
      return scope
    },
    async listIds(userId) {
      const known = listed.get(userId)
      if (known !== undefined) return known
      const ids = await listScopeIds(deps.db.read, userId, maxTriedVaults)
      listed.set(userId, ids)
      return ids
    },
  }
}
