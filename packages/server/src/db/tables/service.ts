/** One row: which instance this is, and a check value that shows whether the right root key was given. */
export interface InstanceTable {
  id: string
  createdAt: number
  rootKeyId: string
  rootKeyCheck: Uint8Array
  wrappedInstanceKey: Uint8Array
  /** When the root key replaced another; null for the first one. */
  rootKeySince: number | null
  /** The key that it replaced, while some keys may still be wrapped under that one. */
  formerRootKeyId: string | null
  /** When someone last asked for new master keys of users, and new keys of vaults. Older keys are replaced. */
  userKeysDue: number | null
  vaultKeysDue: number | null
  /** Which of the keys that are derived from the instance key seals, and about how many cells it has sealed. */
  instanceKeyGeneration: number
  instanceKeySeals: number
  /** The embedding model, and the length of its vectors, that all records were last compared with; null while this is due. */
  checkedModel: string | null
  checkedDims: number | null
}

/** A server that shares this database with others, and the root keys that it has. */
export interface ServersTable {
  id: string
  /** Machine and process, for people to read. */
  name: string
  rootKeyIds: string
  seenAt: number
}

/** Which server runs a job, and until when no server needs to. Used when several servers share a database. */
export interface JobLeasesTable {
  name: string
  holder: string
  leaseUntil: number
  restUntil: number
}
