import type { Sealed } from '../crypto/cell.ts'

/** The caller of an agent route: a user's integration, through one of its keys. Read from the database on every call. */
export interface AgentActor {
  kind: 'agent'
  userId: string
  integrationId: string
  keyId: string
  preset: string
  isActive: boolean
  restrictToVault: boolean
  primaryVaultId: string | undefined
  /** The vaults in the access list, each with its own preset or undefined for the integration's. */
  grants: ReadonlyMap<string, string | undefined>
  /** The legacy restriction of the key itself to one vault. */
  keyVaultId: string | undefined
  /** Undefined if the integration has none: encryption isn't configured. */
  wrappedMek: Uint8Array | undefined
  /** The next version, while the master key is being replaced. */
  nextWrappedMek: Uint8Array | undefined
  mekVersion: number
  /** Sealed label, agent type and agent id of the integration. */
  profile: Sealed
  profileRevision: number
}

/** Anyone who can work in a vault. */
export type Actor = AgentActor | PersonActor

/** The caller of a dashboard route: a person with a session cookie or dashboard token, or the operator acting for them. */
export interface PersonActor {
  kind: 'person'
  userId: string
  /** People write through no integration. */
  integrationId: undefined
  /** Of the server. */
  isOwner: boolean
  /** Whether this call works in a vault of someone else. */
  isMember?: true
  credentialId: string | undefined
  wrappedMek: Uint8Array
  nextWrappedMek: Uint8Array | undefined
  mekVersion: number
}
