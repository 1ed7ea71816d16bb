import type { CopyOptions } from '../../db/dialect.ts'
import type { CopiedBackups } from '../../operation/backups.ts'
import { S3Problem, type S3Settings } from './client.ts'
import { deleteObject } from './objects.ts'
import {
  abandonCopy,
  copyToBucket,
  type KnownManifests,
  listRemote,
  type RemoteBackup,
  removeFromBucket,
  urlOf,
} from './remote.ts'

/** The copies of a server's backups in S3, for the server. */

interface Deps {
  s3: S3Settings
  instanceId: string
  /** Ends calls when the server stops. */
  signal: AbortSignal
  now(): number
}

export interface Copies {
  upload(file: string, options: CopyOptions): Promise<void>
  list(): Promise<CopiedBackups>
  /** Also deletes what was uploaded of `file`. Returns whether there was a copy. Throws an S3Problem. */
  remove(id: string, file: string | undefined): Promise<boolean>
  /** Deletes what was uploaded of a backup that is deleted, if S3 answers. */
  abandon(file: string): Promise<void>
  /** Deletes the automatic backups that are older than so many others. Throws an S3Problem. */
  prune(keep: number): Promise<void>
}

/** Pages ask for the list several times a minute. */
const keptMs = 60_000
/** A page waits for it. */
const listTimeoutMs = 5_000

export function createCopies({ s3, instanceId, signal, now }: Deps): Copies {
  const known: KnownManifests = new Map()
  let kept: { at: number; items: RemoteBackup[]; problem: string | undefined } | undefined
  let listing: Promise<void> | undefined

  const readAll = (until = signal) => listRemote(s3, { instanceId, known, signal: until })

  async function refresh(): Promise<void> {
    try {
      const items = await readAll(AbortSignal.any([signal, AbortSignal.timeout(listTimeoutMs)]))
      kept = { at: now(), items, problem: undefined }
    } catch (error) {
      signal.throwIfAborted()
      const problem = error instanceof S3Problem ? error.message : 'S3 doesn’t answer in time'
      kept = { at: now(), items: kept?.items ?? [], problem }
    }
  }

  return {
    async upload(file, options) {
      await copyToBucket(s3, { instanceId, file, ...options })
      kept = undefined
    },
    async list() {
      if (kept === undefined || now() - kept.at >= keptMs)
        await (listing ??= refresh().finally(() => (listing = undefined)))
      const { items, problem } = kept ?? { items: [], problem: undefined }
      return { url: urlOf(s3, `${s3.prefix}${instanceId}/`), problem, items: items.map((item) => describe(s3, item)) }
    },
    async remove(id, file) {
      if (file !== undefined) await removeFromBucket(s3, { instanceId, file, signal })
      const copy = (await readAll()).find((one) => one.id === id)
      if (copy !== undefined) await deleteObject(s3, copy.key, signal)
      kept = undefined
      return copy !== undefined
    },
    abandon: (file) => abandonCopy(s3, { instanceId, file, signal }).catch(() => {}),
    async prune(keep) {
      const automatic = (await readAll()).filter(({ manifest }) => manifest?.kind === 'automatic')
      // A backup with a future date must not push out a good one.
      const past = automatic.filter(({ manifest }) => Date.parse(manifest?.createdAt ?? '') <= now())
      for (const { key } of past.slice(keep)) await deleteObject(s3, key, signal)
      if (past.length > keep) kept = undefined
    },
  }
}

const describe = (s3: S3Settings, { id, key, bytes, manifest }: RemoteBackup): CopiedBackups['items'][number] => ({
  id,
  url: urlOf(s3, key),
  bytes,
  createdAt: manifest === undefined ? undefined : Date.parse(manifest.createdAt),
  kind: manifest?.kind,
})
