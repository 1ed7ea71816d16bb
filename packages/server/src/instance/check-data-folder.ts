import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { failed, ok, warning, type Finding } from '../core/finding.ts'

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
