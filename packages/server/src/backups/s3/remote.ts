import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { uploadStateOf } from '../backup-folder.ts'
import { BackupProblem, idInName, type Manifest, readBackupEnd } from '../backup-file.ts'
import { S3Problem, type S3Settings } from './client.ts'
import { deleteObject, listObjects, readRemoteEnd, type S3Object } from './objects.ts'
import { abandonUpload, uploadFile } from './upload.ts'

/** The copies of an instance's backups in a bucket: `<prefix><instance id>/<name of the file>`. */

export interface RemoteBackup extends S3Object {
  id: string
  name: string
  /** Undefined if it can't be read. */
  manifest: Manifest | undefined
}

/** Manifests never change, so each is read once in a process. */
export type KnownManifests = Map<string, Manifest>

/** Newest first. Without an instance, those of all. */
export async function listRemote(
  s3: S3Settings,
  { instanceId, known, signal }: { instanceId?: string | undefined; known: KnownManifests; signal: AbortSignal },
): Promise<RemoteBackup[]> {
  const objects = await listObjects(s3, s3.prefix + (instanceId === undefined ? '' : `${instanceId}/`), signal)
  const found: RemoteBackup[] = []
  for (const object of objects) {
    const name = basename(object.key)
    const id = idInName(name)
    if (id === undefined) continue
    found.push({ ...object, id, name, manifest: await findManifest(s3, object, { known, signal }) })
  }
  // Names begin with the time.
  return found.toSorted((a, b) => (a.name < b.name ? 1 : -1))
}

async function findManifest(
  s3: S3Settings,
  object: S3Object,
  { known, signal }: { known: KnownManifests; signal: AbortSignal },
): Promise<Manifest | undefined> {
  const kept = known.get(object.key)
  if (kept !== undefined) return kept
  try {
    const { manifest } = await readRemoteEnd(s3, object, signal)
    known.set(object.key, manifest)
    return manifest
  } catch (error) {
    // Not ours, or deleted since it was listed.
    if (error instanceof BackupProblem || (error instanceof S3Problem && error.code === 'NoSuchKey')) return undefined
    throw error
  }
}

const keyOf = ({ prefix }: S3Settings, instanceId: string, file: string): string =>
  `${prefix}${instanceId}/${basename(file)}`

export const urlOf = ({ bucket }: S3Settings, key: string): string => `s3://${bucket}/${key}`

interface Copying {
  instanceId: string
  file: string
  signal: AbortSignal
  onProgress(doneBytes: number, totalBytes: number): void
}

/** Copies a backup into the bucket, and reads its end there. Throws an S3Problem. */
export async function copyToBucket(s3: S3Settings, { instanceId, file, signal, onProgress }: Copying): Promise<void> {
  const key = keyOf(s3, instanceId, file)
  await uploadFile(s3, { file, key, stateFile: uploadStateOf(file), signal, onProgress })
  const local = await readBackupEnd(file)
  const { size: bytes } = await stat(file)
  const remote = await readRemoteEnd(s3, { key, bytes }, signal).catch((error: unknown) => {
    if (error instanceof BackupProblem) return undefined
    throw error
  })
  if (remote?.sha256 !== local.sha256) throw new S3Problem('the copy in S3 differs from the backup', 'Different')
}

/** Deletes the copy, or what was uploaded of it. */
export async function removeFromBucket(
  s3: S3Settings,
  { instanceId, file, signal }: Omit<Copying, 'onProgress'>,
): Promise<void> {
  const key = keyOf(s3, instanceId, file)
  await abandonUpload(s3, key, uploadStateOf(file), signal)
  await deleteObject(s3, key, signal)
}
