import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { failed, type Finding, ok, warning } from '../core/finding.ts'
import { isOpenToOthers } from '../core/private-file.ts'
import { commandLine } from '../core/program.ts'
import { dayOf } from '../core/time.ts'
import { quoteForShell } from '../core/quote-for-shell.ts'
import type { RootKeyUse } from './root-key-store.ts'

/** Checks the data folder's disk and permissions, for operators. */

// File system types as Linux numbers them. Their locks are unreliable across a network.
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
  /** Whether the store is in the folder. */
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
      `This user cannot write to ${dataDir}.`,
      `Run as the user who owns it, or: chown -R "$USER" ${quoteForShell(dataDir)}`,
    )
  }
  return isOpenToOthers(dataDir)
    ? warning('data folder', `Other users of this machine can read ${dataDir}.`, `chmod 700 ${quoteForShell(dataDir)}`)
    : ok('data folder', dataDir)
}

function checkSpace(dataDir: string, { freeBytes }: Disk): Finding {
  const text = `${(freeBytes / 1024 ** 3).toFixed(1)} GB free`
  if (freeBytes >= lowBytes) return ok('free space', text)
  const fix = `Free up space on the disk of ${dataDir}, or move the folder.`
  return freeBytes < noBytes ? failed('free space', `Only ${text}.`, fix) : warning('free space', `Only ${text}.`, fix)
}

function checkLocal(dataDir: string, { type }: Disk): Finding {
  const name = process.platform === 'linux' ? networkTypes[type] : undefined
  return name === undefined
    ? ok('disk', 'on this machine, not on a network')
    : failed(
        'disk',
        `${dataDir} is on a network disk (${name}), where SQLite can lose data.`,
        'Move the folder to a local disk, or use PostgreSQL (HOLDFAST_DATABASE_URL).',
      )
}

/**
 * `origin`: the file or setting that the root key came from. The key has opened the store already. `instance`: options that name the
 * data folder, if it isn't the default.
 */
export function checkRootKey(origin: string, { since, state }: RootKeyUse, instance: string): Finding {
  const fix = `${commandLine} rotate-keys${instance}`
  if (isAbsolute(origin) && !existsSync(origin))
    return failed(
      'root key',
      `The root key file is missing: ${origin}. The server still has the key in memory.`,
      'Restore the file from its copy before the server stops. Without it, the data is unreadable.',
    )
  if (isAbsolute(origin) && isOpenToOthers(origin))
    return failed('root key', `Other users of this machine can read ${origin}.`, `chmod 600 ${quoteForShell(origin)}`)
  if (state === 'unfinished') return warning('root key', 'The rotation is not finished. Run it again to continue.', fix)
  if (state === 'prepared') return warning('root key', `${origin} contains a new key that is not in use yet.`, fix)
  const from = isAbsolute(origin) ? origin : `from ${origin}`
  return ok('root key', `in use since ${dayOf(since)}: ${from}`)
}
