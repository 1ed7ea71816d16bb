import type { Generated } from 'kysely'
import type { Sealed } from '../../crypto/cell.ts'

export interface VaultsTable {
  id: string
  userId: string
  profile: Sealed
  /** The number of the vault's latest change; each write takes the next one under the row's lock. */
  seq: Generated<number>
  isDefault: number
  /** Sealed JSON of the settings that are not the defaults. */
  settings: Sealed | null
  settingsVersion: Generated<number>
  version: number
  createdAt: number
  updatedAt: number
}

/** Keys of a scope (a vault, or a user's private scope), wrapped under the owner's MEK. */
export interface VaultKeysTable {
  userId: string
  scopeId: string
  generation: number
  wrappedKey: Uint8Array
  mekVersion: number
  createdAt: number
}
