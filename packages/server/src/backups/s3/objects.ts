import { open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { BackupProblem, type BackupEnd, endBytes, parseBackupEnd } from '../backup-file.ts'
import { askS3, callS3, S3Problem, type S3Settings, unreachable } from './client.ts'

/** The objects of a bucket: listed, read and deleted. */

export interface S3Object {
  key: string
  bytes: number
}

/** All objects whose keys begin so. */
export async function listObjects(s3: S3Settings, prefix: string, signal: AbortSignal): Promise<S3Object[]> {
  const found: S3Object[] = []
  for (let token: string | undefined; ;) {
    const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) }
    const text = await askS3(s3, { method: 'GET', query, signal })
    for (const [, item = ''] of text.matchAll(/<Contents>([^]*?)<\/Contents>/g))
      found.push({ key: valueIn(item, 'Key') ?? '', bytes: Number(valueIn(item, 'Size')) })
    token = valueIn(text, 'NextContinuationToken')
    if (token === undefined) return found
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function valueIn(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text?.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? '')
}

/** The manifest of a backup, without reading the rest. Throws a BackupProblem if the object isn't a backup. */
export async function readRemoteEnd(s3: S3Settings, { key, bytes }: S3Object, signal: AbortSignal): Promise<BackupEnd> {
  if (bytes === 0) throw new BackupProblem('This is not a Holdfast backup, or its end is missing.')
  const from = Math.max(0, bytes - endBytes)
  const headers = { range: `bytes=${from}-${bytes - 1}` }
  const response = await callS3(s3, { method: 'GET', key, headers, signal })
  try {
    return parseBackupEnd(Buffer.from(await response.arrayBuffer()), bytes)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof BackupProblem) throw error
    throw unreachable(s3, error)
  }
}

export async function deleteObject(s3: S3Settings, key: string, signal: AbortSignal): Promise<void> {
  await askS3(s3, { method: 'DELETE', key, signal, expects: [404] })
}

interface Downloading {
  /** Must not exist. */
  to: string
  signal: AbortSignal
  onProgress(doneBytes: number, totalBytes: number): void
}

/** How often in a row a connection may break without a byte. */
const maxFruitless = 5
const pauseMs = 1_000
/** For all of what one connection brings. */
const downloadTimeoutMs = 6 * 3_600_000

/** Continues where a connection broke. The caller checks the hash of the file. */
export async function downloadObject(
  s3: S3Settings,
  { key, bytes }: S3Object,
  { to, signal, onProgress }: Downloading,
): Promise<void> {
  const handle = await open(to, 'wx', 0o600)
  try {
    let done = 0
    for (let fruitless = 0; done < bytes;) {
      const before = done
      try {
        const headers = { range: `bytes=${done}-${bytes - 1}` }
        const response = await callS3(s3, { method: 'GET', key, headers, signal, timeoutMs: downloadTimeoutMs })
        if (response.status !== 206 && done > 0) throw new S3Problem('S3 ignored the range of a request', 'NoRange')
        for await (const piece of response.body ?? []) {
          await handle.writeFile(piece)
          done += piece.byteLength
          onProgress(done, bytes)
        }
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof S3Problem || (error as NodeJS.ErrnoException).syscall === 'write') throw error
        fruitless = done > before ? 0 : fruitless + 1
        if (fruitless >= maxFruitless) throw unreachable(s3, error)
        await delay(pauseMs, undefined, { signal })
      }
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}
