import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { uploadStateOf } from '../backup-folder.ts'
import { BackupProblem, idInName, type Manifest, readBackupEnd } from '../backup-file.ts'
import { S3Problem, type S3Settings } from './client.ts'
import { deleteObject, listObjects, readRemoteEnd, type S3Object } from './objects.ts'
import { abandonUpload, isLost, uploadFile } from './upload.ts'

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

/** What S3 answers if an object doesn't exist, or is shorter. */
const isAbsent = (error: unknown) =>
  error instanceof BackupProblem ||
  (error instanceof S3Problem && ['NoSuchKey', 'InvalidRange', 'http_404', 'http_416'].includes(error.code))

/** Copies a backup into the bucket, and reads its end there. Throws an S3Problem. */
export async function copyToBucket(s3: S3Settings, { instanceId, file, signal, onProgress }: Copying): Promise<void> {
  const key = keyOf(s3, instanceId, file)
  const local = await readBackupEnd(file)
  const { size: bytes } = await stat(file)
  const isThere = async () => {
    const remote = await readRemoteEnd(s3, { key, bytes }, signal).catch((error: unknown) => {
      if (isAbsent(error)) return undefined
      throw error
    })
    return remote?.sha256 === local.sha256
  }
  // An earlier attempt may not have heard that it had succeeded.
  if (await isThere()) return
  let problem = new S3Problem('the copy in S3 differs from the backup', 'Different')
  try {
    await uploadFile(s3, { file, key, stateFile: uploadStateOf(file), signal, onProgress })
  } catch (error) {
    if (!isLost(error)) throw error
    // The answer to the last request was lost, and S3 didn't know the upload when it was sent again.
    problem = error
  }
  if (!(await isThere())) throw problem
}

/** Deletes what was uploaded of a backup whose upload didn't end. */
export const abandonCopy = (s3: S3Settings, { instanceId, file, signal }: Omit<Copying, 'onProgress'>): Promise<void> =>
  abandonUpload(s3, keyOf(s3, instanceId, file), uploadStateOf(file), signal)

/** Deletes the copy, or what was uploaded of it. */
export async function removeFromBucket(
  s3: S3Settings,
  { instanceId, file, signal }: Omit<Copying, 'onProgress'>,
): Promise<void> {
  await abandonCopy(s3, { instanceId, file, signal })
  await deleteObject(s3, keyOf(s3, instanceId, file), signal)
}
