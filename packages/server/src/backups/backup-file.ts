import { appendFileSync, closeSync, openSync, readSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { sha256InPieces } from '../crypto/hash.ts'
import { backupKinds } from '../operation/backups.ts'

/**
 * A backup file: the database, a manifest as a line of JSON, and a last line with the manifest's length and the hash of
 * everything before it. The manifest comes last because its values are known only after the copy. SQLite reads as many
 * pages as its header counts, so any SQLite tool opens the file as a database. It contains no more plaintext than the
 * store.
 */

const manifestSchema = z.looseObject({
  format: z.int(),
  id: z.uuid(),
  instanceId: z.uuid(),
  createdAt: z.iso.datetime(),
  kind: z.enum(backupKinds),
  /** The version of the server that created it. */
  version: z.string(),
  /** The last migration. */
  schema: z.string(),
  databaseBytes: z.int().min(1),
  /** How many rows each table has. Early backups don't say it. */
  rows: z.record(z.string(), z.int().min(0)).optional(),
})
export type Manifest = z.output<typeof manifestSchema>

export const backupFormat = 1

export interface BackupEnd {
  manifest: Manifest
  /** The manifest as it is in the file. */
  line: string
  sha256: string
  /** How many bytes the hash covers. */
  hashedBytes: number
}

/** A problem with a backup file, described for the person who wants to restore it. */
export class BackupProblem extends Error {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'BackupProblem'
  }
}

const lastLine = /^HOLDFAST-BACKUP (\d{8}) ([0-9a-f]{64})\n$/
const lastLineBytes = 'HOLDFAST-BACKUP '.length + 8 + 1 + 64 + 1
/** A manifest has about 1,500 bytes. */
const maxManifestBytes = 16_384
/** The last bytes of a file that contain its end. */
export const endBytes = maxManifestBytes + lastLineBytes

/** Reads only the manifest and the last line. Throws a BackupProblem if the file has none. */
export async function readBackupEnd(file: string): Promise<BackupEnd> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, endBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    return parseBackupEnd(buffer.subarray(0, bytesRead), size)
  } finally {
    await handle.close()
  }
}

/** `tail`: the last `endBytes` of a file of this size, or the whole file if it is shorter. */
export function parseBackupEnd(tail: Buffer, size: number): BackupEnd {
  const last = tail.subarray(Math.max(0, tail.length - lastLineBytes)).toString()
  const [, digits = '', sha256 = ''] = lastLine.exec(last) ?? []
  const length = Number(digits)
  const hashedBytes = size - lastLineBytes
  if (digits === '' || length > maxManifestBytes || length > hashedBytes)
    throw new BackupProblem('This is not a Holdfast backup, or its end is missing.')
  const end = tail.length - lastLineBytes
  const line = tail.subarray(Math.max(0, end - length), end).toString()
  const manifest = parseManifest(line)
  if (manifest.databaseBytes + length !== hashedBytes) throw new BackupProblem("Its end doesn't match the rest.")
  return { manifest, line, sha256, hashedBytes }
}

function parseManifest(text: string): Manifest {
  const { data } = manifestSchema.safeParse(jsonIn(text))
  if (data === undefined) throw new BackupProblem('Its manifest is not readable.')
  if (data.format !== backupFormat)
    throw new BackupProblem("A newer version of Holdfast made it, in a format that this version can't read.")
  return data
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Blocks, so call it in a separate thread. */
export function appendEnd(file: string, manifest: Manifest, onProgress: (doneBytes: number) => void): void {
  const hash = hashFile(file, manifest.databaseBytes, onProgress)
  const line = Buffer.from(`${JSON.stringify(manifest)}\n`)
  hash.update(line)
  const length = String(line.length).padStart(8, '0')
  const end = Buffer.from(`HOLDFAST-BACKUP ${length} ${hash.digest().toString('hex')}\n`)
  appendFileSync(file, Buffer.concat([line, end]), { flush: true })
}

/** `file`: a backup, or the database that was restored from it. Blocks, so call it in a separate thread. */
export function hashBackup(
  file: string,
  { manifest, line }: BackupEnd,
  onProgress: (doneBytes: number) => void,
): string {
  const hash = hashFile(file, manifest.databaseBytes, onProgress)
  hash.update(line)
  return hash.digest().toString('hex')
}

const pieceBytes = 1024 ** 2

function hashFile(file: string, bytes: number, onProgress: (doneBytes: number) => void) {
  const hash = sha256InPieces()
  const piece = Buffer.alloc(pieceBytes)
  const handle = openSync(file, 'r')
  try {
    for (let at = 0; at < bytes;) {
      const read = readSync(handle, piece, 0, Math.min(pieceBytes, bytes - at), at)
      if (read === 0) throw new BackupProblem('It ends too early.')
      hash.update(piece.subarray(0, read))
      at += read
      onProgress(at)
    }
  } finally {
    closeSync(handle)
  }
  return hash
}

export const sizeOf = (file: string): number => statSync(file).size

const namePattern = /^holdfast-\d{8}T\d{6}Z-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.backup$/

/** `holdfast-20261122T160512Z-<id>.backup`: names sort by time. */
export const backupName = (id: string, at: number): string =>
  `holdfast-${isoTime(at).replaceAll(/[-:]/g, '').replace(/\.\d+/, '')}-${id}.backup`

/** Undefined for files that aren't finished backups. */
export const idInName = (name: string): string | undefined => namePattern.exec(name)?.[1]

export const unfinished = '.partial'
