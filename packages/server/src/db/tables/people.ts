import type { Sealed } from '../../crypto/cell.ts'

export interface UsersTable {
  id: string
  emailTag: Uint8Array
  profile: Sealed
  profileRevision: number
  passwordHash: string
  isOwner: number
  wrappedMek: Uint8Array
  mekVersion: number
  /** The next version, while the key is being replaced, and from when on it may be used: when every call knows it. */
  nextWrappedMek: Uint8Array | null
  nextMekFrom: number | null
  /** When the current version was created; null for the first one. */
  mekSince: number | null
  /** When a rotation last met a damaged key, which keeps this one from being replaced. */
  mekStuckAt: number | null
  /** The lowest generation that may still seal what the user has outside of vaults. */
  minGeneration: number
  createdAt: number
  /** Since when nothing of theirs may be used. */
  disabledAt: number | null
}

/** Sessions (cookie) and tokens (`hfd_`) of the dashboard API. */
export interface DashboardCredentialsTable {
  id: string
  userId: string
  kind: 'session' | 'token'
  secretHash: Uint8Array
  /** For a session: the hash of its other half, which the browser sends in a header. */
  keyHash: Uint8Array | null
  createdAt: number
  lastUsedAt: number
  expiresAt: number | null
  /** For a session: the browser and the kind of address that it was created from. For a token: its name, if it has one. */
  client: Sealed | null
}

/** What a sign-in asks for in addition to the password, once it is confirmed. */
export interface SecondFactorsTable {
  userId: string
  id: string
  secret: Sealed
  createdAt: number
  confirmedAt: number | null
  /** The time step of the last accepted code. */
  lastStep: number
  /** Wrong codes since the last right one, and when the last of them came. */
  wrongCodes: number
  lastWrongAt: number | null
}

/** A recovery code that hasn't been used yet. */
export interface RecoveryCodesTable {
  userId: string
  codeHash: Uint8Array
  createdAt: number
}

/** A key on a person's device that signs them in. */
export interface PasskeysTable {
  userId: string
  id: string
  credentialTag: Uint8Array
  /** The device's name for it, its public half, and how to reach it. */
  credential: Sealed
  name: Sealed
  nameRevision: number
  /** How often it has signed, if the device counts. */
  counter: number
  createdAt: number
  lastUsedAt: number | null
}

/** A challenge that a passkey has answered, kept until it would be refused anyway. */
export interface SpentChallengesTable {
  userId: string
  challengeHash: Uint8Array
  expiresAt: number
}

/** PostgreSQL only: how often someone lately failed to sign in to an account, or from an address, across all servers. */
export interface LogInFailuresTable {
  tag: Uint8Array
  count: number
  lastAt: number
  /** Until when each further attempt is refused. */
  blockedUntil: number
}
