import { open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { BackupProblem, type BackupEnd, endBytes, parseBackupEnd } from '../backup-file.ts'
import { askS3, callS3, S3Problem, type S3Request, type S3Settings, unreachable } from './client.ts'

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
  const range = { key, from: Math.max(0, bytes - endBytes), to: bytes }
  try {
    const pieces: Uint8Array[] = []
    for await (const piece of readRange(s3, range, { signal })) pieces.push(piece)
    return parseBackupEnd(Buffer.concat(pieces), bytes)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof BackupProblem) throw error
    throw unreachable(s3, error)
  }
}

interface Range {
  key: string
  from: number
  /** The first byte after it. */
  to: number
}

/** Never yields more than the range, whatever S3 sends. Leaving the loop ends the connection. */
async function* readRange(
  s3: S3Settings,
  { key, from, to }: Range,
  options: Pick<S3Request, 'signal' | 'timeoutMs'>,
): AsyncGenerator<Uint8Array> {
  const headers = { range: `bytes=${from}-${to - 1}` }
  const response = await callS3(s3, { method: 'GET', key, headers, ...options })
  if (response.status !== 206 && from > 0) {
    await response.body?.cancel()
    throw new S3Problem('S3 ignored the range of a request', 'NoRange')
  }
  let left = to - from
  for await (const piece of response.body ?? []) {
    yield piece.subarray(0, left)
    left -= piece.byteLength
    if (left <= 0) return
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

/** How often in a row an answer may end without a byte. */
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
      let failure: unknown
      try {
        const range = { key, from: done, to: bytes }
        for await (const piece of readRange(s3, range, { signal, timeoutMs: downloadTimeoutMs })) {
          await handle.writeFile(piece)
          done += piece.byteLength
          onProgress(done, bytes)
        }
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof S3Problem || (error as NodeJS.ErrnoException).syscall === 'write') throw error
        failure = error
      }
      if (done >= bytes) break
      // An answer may also end too early without an error.
      fruitless = done > before ? 0 : fruitless + 1
      if (fruitless >= maxFruitless)
        throw unreachable(s3, failure ?? new S3Problem('S3 sent too few bytes', 'TooShort'))
      await delay(pauseMs, undefined, { signal })
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}
