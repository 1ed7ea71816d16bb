import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { commandLine, failed, type Finding, ok, warning } from '../core/program.ts'
import { dayOf } from '../core/time.ts'
import { isExposed } from './root-key-source.ts'
import type { RootKeyUse } from './root-key-store.ts'

/** What the data folder lies on, and who may look into it: for whoever runs the server. */

// Numbers of file systems as Linux tells them: what locks across a network cannot be relied on.
const networkTypes: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB',
  0x01021997: '9p',
  0x00c36400: 'Ceph',
}
const lowBytes = 1024 ** 3
const noBytes = 100 * 1024 ** 2

export interface Disk {
  type: number
  freeBytes: number
}

function readDisk(folder: string): Disk {
  const { type, bavail, bsize } = statfsSync(folder)
  return { type, freeBytes: bavail * bsize }
}

interface Place {
  dataDir: string
  /** Whether the store lies in the folder. */
  isEmbedded: boolean
}

export function checkDataFolder({ dataDir, isEmbedded }: Place, disk = readDisk): Finding[] {
  const found = [checkAccess(dataDir), checkSpace(dataDir, disk(dataDir))]
  if (isEmbedded) found.push(checkLocal(dataDir, disk(dataDir)))
  return found
}

function checkAccess(dataDir: string): Finding {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return failed(
      'data folder',
      `${dataDir} cannot be written by this user.`,
      `Run as the user that owns it, or: chown -R "$USER" "${dataDir}"`,
    )
  }
  const isOpen = process.platform !== 'win32' && (statSync(dataDir).mode & 0o077) !== 0
  return isOpen
    ? warning('data folder', `Others on this machine can look into ${dataDir}.`, `chmod 700 "${dataDir}"`)
    : ok('data folder', dataDir)
}

function checkSpace(dataDir: string, { freeBytes }: Disk): Finding {
  const text = `${(freeBytes / 1024 ** 3).toFixed(1)} GB free`
  if (freeBytes >= lowBytes) return ok('free space', text)
  const fix = `Make room on the disk of ${dataDir}, or move the folder.`
  return freeBytes < noBytes ? failed('free space', `Only ${text}.`, fix) : warning('free space', `Only ${text}.`, fix)
}

function checkLocal(dataDir: string, { type }: Disk): Finding {
  const name = process.platform === 'linux' ? networkTypes[type] : undefined
  return name === undefined
    ? ok('disk', 'local')
    : failed(
        'disk',
        `${dataDir} lies on a network disk (${name}), where SQLite can lose data.`,
        'Move the folder to a local disk, or use PostgreSQL (HOLDFAST_DATABASE_URL).',
      )
}

/** `origin`: the file or setting that the root key came from; it has opened the store. */
export function checkRootKey(origin: string, { since, state }: RootKeyUse): Finding {
  const fix = `${commandLine} rotate-key`
  if (isAbsolute(origin) && !existsSync(origin))
    return failed(
      'root key',
      `The file of the root key is gone: ${origin}. The server still has it in memory.`,
      'Put the copy back before the server stops: without it nothing can be read after.',
    )
  if (isAbsolute(origin) && isExposed(origin))
    return failed('root key', `Others on this machine can read ${origin}.`, `chmod 600 "${origin}"`)
  if (state === 'unfinished')
    return warning('root key', 'Its change is not finished; it goes on with the next call.', fix)
  if (state === 'prepared') return warning('root key', `${origin} has a new key, which is not in use yet.`, fix)
  const from = isAbsolute(origin) ? origin : `from ${origin}`
  return ok('root key', `${from}, since ${dayOf(since)}; it opens the store`)
}
