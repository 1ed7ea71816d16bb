import { newId } from '../src/core/ids.ts'
import { createRandomKey, scopeKeys, type ScopeKeys } from '../src/crypto/keys.ts'

/** A vault as the stores take it: its owner and its keys. */
export interface VaultScope {
  id: string
  userId: string
  keys: ScopeKeys
}

export function makeVaultScope(userId = newId()): VaultScope {
  const id = newId()
  return { id, userId, keys: scopeKeys(id, [{ generation: 1, key: createRandomKey() }]) }
}

/**
 * The vaults in which a record of the first vault must not be found: another user's, another of the same user, and the vault itself
 * under another user's name, with the right keys in each case.
 */
export const foreignScopes = (scope: VaultScope): [whose: string, scope: VaultScope][] => [
  ["another user's vault", makeVaultScope()],
  ["the user's other vault", makeVaultScope(scope.userId)],
  ["another user's id with this vault", { ...scope, userId: newId() }],
  ["this user's id with another vault, but these keys", { ...scope, id: newId() }],
]
