import { open, readFile, rm, type FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import { replaceDurably } from '../../core/durable-file.ts'
import { sha256InPieces } from '../../crypto/hash.ts'
import { askS3, callS3, errorCode, S3Problem, type S3Settings } from './client.ts'

/**
 * Uploads in parts, one at a time. An object becomes visible when all of its parts are there. What is uploaded already is kept in a
 * file next to the backup, so that a later attempt, also of another process, continues there.
 */

const minPartBytes = 16 * 1024 ** 2
/** S3 allows 10,000. */
const maxParts = 9_000
/** At least 30 kB/s. */
const partTimeoutMs = 10 * 60_000

const stateSchema = z.object({ uploadId: z.string(), partBytes: z.int().min(1), etags: z.array(z.string()) })
type State = z.output<typeof stateSchema>

interface Uploading {
  file: string
  key: string
  /** Where the state of the upload is kept. */
  stateFile: string
  signal: AbortSignal
  onProgress(doneBytes: number, totalBytes: number): void
}

/** Throws an S3Problem, or what reading the file throws. */
export async function uploadFile(s3: S3Settings, uploading: Uploading): Promise<void> {
  const handle = await open(uploading.file, 'r')
  try {
    const { size } = await handle.stat()
    if (size <= minPartBytes) await putWhole(s3, uploading, { handle, size })
    else await putParts(s3, uploading, { handle, size })
  } finally {
    await handle.close()
  }
}

interface Source {
  handle: FileHandle
  size: number
}

async function putWhole(s3: S3Settings, { key, signal, onProgress }: Uploading, { handle, size }: Source) {
  const part = await readPart(handle, 0, size)
  await askS3(s3, { method: 'PUT', key, ...part, signal, timeoutMs: partTimeoutMs })
  onProgress(size, size)
}

/** S3 no longer has the parts, for example after a rule of the bucket for unfinished uploads. */
const lost: ReadonlySet<string> = new Set(['NoSuchUpload', 'InvalidPart', 'InvalidPartOrder'])
export const isLost = (error: unknown): error is S3Problem => error instanceof S3Problem && lost.has(error.code)

async function putParts(s3: S3Settings, uploading: Uploading, source: Source): Promise<void> {
  const { stateFile } = uploading
  const kept = await readState(stateFile)
  if (kept !== undefined)
    try {
      await putRest(s3, uploading, source, kept)
      return
    } catch (error) {
      if (!isLost(error)) throw error
      // S3 may still have some parts. If it can't delete them now, the rule of the bucket does.
      await abandonUpload(s3, uploading.key, stateFile, uploading.signal).catch(() => {})
      await rm(stateFile, { force: true })
    }
  const partBytes = Math.max(minPartBytes, Math.ceil(source.size / maxParts))
  const state: State = { uploadId: await begin(s3, uploading), partBytes, etags: [] }
  saveState(stateFile, state)
  await putRest(s3, uploading, source, state)
}

async function putRest(
  s3: S3Settings,
  uploading: Uploading,
  { handle, size }: Source,
  { uploadId, partBytes, etags: done }: State,
): Promise<void> {
  const { key, stateFile, signal, onProgress } = uploading
  const etags = [...done]
  for (let at = etags.length * partBytes; at < size; at += partBytes) {
    onProgress(at, size)
    const part = await readPart(handle, at, Math.min(partBytes, size - at))
    const query = { partNumber: String(etags.length + 1), uploadId }
    const response = await callS3(s3, { method: 'PUT', key, query, ...part, signal, timeoutMs: partTimeoutMs })
    await response.body?.cancel()
    const etag = response.headers.get('etag')
    if (etag === null) throw new S3Problem('S3 sent no ETag for a part', 'NoEtag')
    etags.push(etag)
    saveState(stateFile, { uploadId, partBytes, etags })
  }
  onProgress(size, size)
  await complete(s3, uploading, uploadId, etags)
}

async function begin(s3: S3Settings, { key, signal }: Uploading): Promise<string> {
  const text = await askS3(s3, { method: 'POST', key, query: { uploads: '' }, signal })
  const id = /<UploadId>([^<]+)<\/UploadId>/.exec(text)?.[1]
  if (id === undefined) throw new S3Problem('S3 began no upload', 'NoUploadId')
  return id
}

async function complete(s3: S3Settings, { key, signal }: Uploading, uploadId: string, etags: string[]): Promise<void> {
  const parts = etags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
  const request = { method: 'POST', key, query: { uploadId }, body, signal, timeoutMs: partTimeoutMs } as const
  // An answer may begin with 200 and end with an error.
  const code = errorCode(await askS3(s3, request))
  if (code !== undefined) throw new S3Problem(`S3 couldn’t put the parts together (${code})`, code)
}

/** Deletes the parts of an upload that won't be finished. S3 would keep them, and nobody would see them. */
export async function abandonUpload(
  s3: S3Settings,
  key: string,
  stateFile: string,
  signal: AbortSignal,
): Promise<void> {
  const state = await readState(stateFile)
  if (state === undefined) return
  const query = { uploadId: state.uploadId }
  await askS3(s3, { method: 'DELETE', key, query, signal, expects: [404] })
}

/** Undefined if nothing was uploaded yet. */
async function readState(stateFile: string): Promise<State | undefined> {
  try {
    return stateSchema.parse(JSON.parse(await readFile(stateFile, 'utf8')))
  } catch {
    return undefined
  }
}

const saveState = (stateFile: string, state: State): void => replaceDurably(stateFile, JSON.stringify(state))

const pieceBytes = 1024 ** 2

/** Reads and hashes in pieces of about a millisecond. */
async function readPart(
  handle: FileHandle,
  at: number,
  bytes: number,
): Promise<{ body: Buffer<ArrayBuffer>; sha256: string }> {
  const body = Buffer.alloc(bytes)
  const hash = sha256InPieces()
  for (let done = 0; done < bytes;) {
    const { bytesRead } = await handle.read(body, done, Math.min(pieceBytes, bytes - done), at + done)
    if (bytesRead === 0) throw new S3Problem('the backup became shorter while it was uploaded', 'Shorter')
    hash.update(body.subarray(done, done + bytesRead))
    done += bytesRead
  }
  return { body, sha256: hash.digest().toString('hex') }
}
