import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { commandLine } from '../../core/command-line.ts'
import { hasSqliteFile } from '../../db/sqlite.ts'
import { failed, ok, warning, type Finding } from './finding.ts'

/** What can be seen without a server and without opening the store. */

const leastNode = 24

export function checkNode(version = process.versions.node): Finding {
  const major = Number.parseInt(version, 10)
  return major >= leastNode
    ? ok('node', `Node ${version}`)
    : failed(
        'node',
        `Node ${version} is too old.`,
        `Install Node ${leastNode}, or start with npm: it brings one along.`,
      )
}

const earliest = Date.parse('2026-01-01T00:00:00Z')

/** A clock far off makes keys expire early or late, and ages wrong. */
export function checkClock(now: number): Finding {
  const shown = new Date(now).toISOString()
  return now >= earliest
    ? ok('clock', `it is ${shown}`)
    : failed('clock', `This machine believes it is ${shown}.`, 'Set its clock, and let it follow a time server.')
}

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

export function readDisk(folder: string): Disk {
  const { type, bavail, bsize } = statfsSync(folder)
  return { type, freeBytes: bavail * bsize }
}

export function checkDataFolder({ dataDir, databaseUrl }: Config, disk = readDisk): Finding[] {
  if (!existsSync(dataDir) || (databaseUrl === undefined && !hasSqliteFile(dataDir)))
    return [
      failed(
        'data folder',
        `There is no Holdfast in ${dataDir}.`,
        `Name its folder with --data-dir, or make a new one: ${commandLine} setup --email you@example.org`,
      ),
    ]
  const found = [checkAccess(dataDir), checkSpace(dataDir, disk(dataDir))]
  if (databaseUrl === undefined) found.push(checkLocal(dataDir, disk(dataDir)))
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

export function checkAddresses({ host, publicUrl }: Config): Finding {
  const name = publicUrl === undefined ? undefined : new URL(publicUrl).hostname
  if (name === '0.0.0.0' || name === '[::]')
    return failed(
      'addresses',
      `HOLDFAST_PUBLIC_URL is ${publicUrl}, which no client can reach.`,
      'Set it to the name or address that clients use.',
    )
  if (isAny(host) && publicUrl === undefined)
    return warning(
      'addresses',
      `It listens on ${host}, but nothing says under which name others reach it.`,
      'Set HOLDFAST_PUBLIC_URL, or HOLDFAST_HOST=127.0.0.1 if only this machine is meant.',
    )
  if (isAny(host) && isLoopback(name ?? ''))
    return warning(
      'addresses',
      `It listens on ${host}, but HOLDFAST_PUBLIC_URL is ${publicUrl}.`,
      'Set HOLDFAST_PUBLIC_URL to the name that others use, or HOLDFAST_HOST=127.0.0.1.',
    )
  return ok('addresses', publicUrl === undefined ? `listens on ${host}` : `listens on ${host}, reached as ${publicUrl}`)
}

const isAny = (host: string) => host === '0.0.0.0' || host === '::'
const isLoopback = (name: string) => name === 'localhost' || name === '[::1]' || name.startsWith('127.')
