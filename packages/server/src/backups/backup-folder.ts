import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { dayMs } from '../core/time.ts'
import type { BackupDrill, BackupFailure, BackupFile } from '../operation/backups.ts'
import { BackupProblem, idInName, readBackupEnd, unfinished } from './backup-file.ts'

/** The folder of the server's backups, with the result of each backup's last check. */

/** Long enough to notice that an update went wrong. Nobody asked for these copies, so deleted data must not live on in them. */
const keptBeforeUpdateMs = 7 * dayMs

/** A file next to a backup that isn't in S3 yet, with how far its upload is. */
export const uploadStateOf = (file: string): string => `${file}.upload`

/** The backups that aren't in S3 yet, oldest first. */
export async function listUploads(folder: string, instanceId: string): Promise<BackupFile[]> {
  const names = new Set(await namesIn(folder))
  const waiting = (await readFolder(folder, instanceId)).filter(({ file }) => names.has(basename(uploadStateOf(file))))
  for (const name of names)
    if (
      idInName(name.replace(/\.upload$/, '')) !== undefined &&
      name.endsWith('.upload') &&
      !names.has(name.slice(0, -'.upload'.length))
    )
      await rm(join(folder, name), { force: true })
  return waiting.toReversed()
}

/** The result of the last check, in a file next to the backup. */
const checkSchema = z.object({ at: z.number(), problem: z.string().nullable() })
const checkFile = (file: string) => `${file}.checked`

/**
 * Lists the backups of this instance and unreadable ones, newest first. Others are left out, because several servers may share the
 * folder. A missing folder has no backups.
 */
export async function readFolder(folder: string, instanceId: string): Promise<BackupFile[]> {
  const names = await namesIn(folder)
  const known = names.flatMap((name) => {
    const id = idInName(name)
    return id === undefined ? [] : [{ id, name }]
  })
  const found = await Promise.all(known.map(({ id, name }) => describeFile(folder, name, id, instanceId)))
  return found
    .filter((backup) => backup !== undefined)
    .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/** Undefined if it was deleted meanwhile or belongs to another instance. */
async function describeFile(
  folder: string,
  name: string,
  id: string,
  instanceId: string,
): Promise<BackupFile | undefined> {
  const file = join(folder, name)
  const stats = await stat(file).catch(() => undefined)
  if (stats === undefined) return undefined
  const rest = { id, file, bytes: stats.size }
  const check = await readCheck(file)
  try {
    const { manifest } = await readBackupEnd(file)
    if (manifest.instanceId !== instanceId) return undefined
    const createdAt = Date.parse(manifest.createdAt)
    const { kind, version, schema } = manifest
    return {
      ...rest,
      createdAt,
      kind,
      version,
      schema,
      // Each is checked before it gets its name.
      checkedAt: check?.at ?? createdAt,
      problem: check?.problem ?? undefined,
      expiresAt: kind === 'before-update' ? createdAt + keptBeforeUpdateMs : undefined,
    }
  } catch (error) {
    const problem = error instanceof BackupProblem ? error.message : "It can't be read."
    const createdAt = stats.mtimeMs
    const unknown = { kind: undefined, version: undefined, schema: undefined, expiresAt: undefined }
    return { ...rest, ...unknown, createdAt, checkedAt: createdAt, problem }
  }
}

async function readCheck(file: string): Promise<z.output<typeof checkSchema> | undefined> {
  try {
    return checkSchema.parse(JSON.parse(await readFile(checkFile(file), 'utf8')))
  } catch {
    return undefined
  }
}

export const keepCheck = (file: string, check: z.output<typeof checkSchema>): Promise<void> =>
  writeFile(checkFile(file), JSON.stringify(check), { mode: 0o600 })

const movedSchema = z.object({ file: z.string() })
const movedFile = (folder: string, instanceId: string) => join(folder, `${instanceId}.moved`)

/** Remembers where a backup of this folder was moved to, so that there is a latest backup although it isn't listed. */
export const keepMoved = (folder: string, instanceId: string, file: string): Promise<void> =>
  writeFile(movedFile(folder, instanceId), JSON.stringify({ file }), { mode: 0o600 })

interface MovedBackup {
  file: string
  createdAt: number
}

/** A dead network mount never answers, and each read of it takes one of the few threads, so there is one at a time. */
const reads = new Map<string, Promise<MovedBackup | undefined>>()

/** The backup that was moved last. Undefined if it is no longer there, or where it is doesn't answer in time. */
export async function readMoved(
  folder: string,
  instanceId: string,
  withinMs = 2_000,
): Promise<MovedBackup | undefined> {
  const file = movedFile(folder, instanceId)
  const read = reads.get(file) ?? readMovedEnd(file, instanceId).finally(() => reads.delete(file))
  reads.set(file, read)
  return Promise.race([read, delay(withinMs, undefined, { ref: false })])
}

async function readMovedEnd(movedTo: string, instanceId: string): Promise<MovedBackup | undefined> {
  try {
    const { file } = movedSchema.parse(JSON.parse(await readFile(movedTo, 'utf8')))
    const { manifest } = await readBackupEnd(file)
    return manifest.instanceId === instanceId ? { file, createdAt: Date.parse(manifest.createdAt) } : undefined
  } catch {
    return undefined
  }
}

/** The file of the newest backup in the folder, or of the one that was moved last if it is newer. */
export async function findNewest(folder: string, instanceId: string): Promise<string | undefined> {
  const [newest] = await readFolder(folder, instanceId)
  const moved = await readMoved(folder, instanceId)
  return newest === undefined || (moved !== undefined && moved.createdAt > newest.createdAt) ? moved?.file : newest.file
}

const failureSchema = z.object({ at: z.number(), reason: z.string(), during: z.literal('upload').optional() })
const failureFile = (folder: string, instanceId: string) => join(folder, `${instanceId}.failed`)

/** Remembers why the latest backup failed, so that it is known after a restart. Undefined: it succeeded. */
export async function keepFailure(
  folder: string,
  instanceId: string,
  failure: BackupFailure | undefined,
): Promise<void> {
  const file = failureFile(folder, instanceId)
  if (failure === undefined) await rm(file, { force: true })
  else await writeFile(file, JSON.stringify(failure), { mode: 0o600 })
}

export async function readFailure(folder: string, instanceId: string): Promise<BackupFailure | undefined> {
  try {
    return failureSchema.parse(JSON.parse(await readFile(failureFile(folder, instanceId), 'utf8')))
  } catch {
    return undefined
  }
}

const drillSchema = z.object({ at: z.number(), backupAt: z.number(), problem: z.string().optional() })
const drillFile = (folder: string, instanceId: string) => join(folder, `${instanceId}.drilled`)

/** Stores the result of a drill, and returns the file. */
export async function keepDrill(folder: string, instanceId: string, drill: BackupDrill): Promise<string> {
  const file = drillFile(folder, instanceId)
  await writeFile(file, JSON.stringify(drill), { mode: 0o600 })
  return file
}

export async function readDrill(folder: string, instanceId: string): Promise<BackupDrill | undefined> {
  try {
    const { problem, ...drill } = drillSchema.parse(JSON.parse(await readFile(drillFile(folder, instanceId), 'utf8')))
    return { ...drill, problem }
  } catch {
    return undefined
  }
}

export async function deleteFiles(file: string): Promise<void> {
  for (const one of [file, checkFile(file), uploadStateOf(file)]) await rm(one, { force: true })
}

export const makeFolder = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 })

/** The name of an unfinished file. Contains the instance's id, because another instance may use the same folder. */
export const partialOf = (file: string, instanceId: string) => `${file}.${instanceId}${unfinished}`

/** Deletes unfinished files after a crash, and returns their number. Call this only while this instance makes no backup. */
export async function sweepFolder(folder: string, instanceId: string): Promise<number> {
  const left = (await namesIn(folder)).filter((name) => name.includes(partialOf('.backup', instanceId)))
  for (const name of left) await rm(join(folder, name), { force: true })
  return left.length
}

/** Gives a finished file its final name, durably. */
export async function publishFile(from: string, to: string, folder: string): Promise<void> {
  await rename(from, to)
  await syncFolder(folder)
}

/** The name, too, must survive a power cut. Windows cannot open folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
