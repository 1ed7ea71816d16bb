import { existsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { failed, type Finding, ok, warning } from '../../core/finding.ts'
import { commandLineHere, dataDirOption } from '../../core/program.ts'
import { hasSqliteFile } from '../../db/sqlite.ts'
import { checkDataFolder, type Disk } from '../../instance/check-files.ts'

/** Checks that need neither a server nor the store. */

const minNodeMajor = 24

export function checkNode(version = process.versions.node): Finding {
  const major = Number.parseInt(version, 10)
  return major >= minNodeMajor
    ? ok('node', `Node ${version}`)
    : failed(
        'node',
        `Node ${version} is too old.`,
        `Install Node ${minNodeMajor}, or start with npm, which includes it.`,
      )
}

const earliest = Date.parse('2026-01-01T00:00:00Z')

/** A wrong clock makes keys expire early or late and shows wrong ages. */
export function checkClock(now: number): Finding {
  const shown = new Date(now).toISOString()
  return now >= earliest
    ? ok('clock', `it is ${shown}`)
    : failed(
        'clock',
        `The clock of this machine shows ${shown}.`,
        'Set the clock and synchronize it with a time server.',
      )
}

export function checkFolder({ dataDir, databaseUrl }: Config, disk?: (folder: string) => Disk): Finding[] {
  const isEmbedded = databaseUrl === undefined
  if (existsSync(dataDir) && (!isEmbedded || hasSqliteFile(dataDir)))
    return checkDataFolder({ dataDir, isEmbedded }, disk)
  return [
    failed(
      'data folder',
      `No Holdfast instance in ${dataDir}.`,
      `Give its folder with --data-dir, or create an instance: ${commandLineHere} setup --email you@example.org${dataDirOption(dataDir)}`,
    ),
  ]
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
      `The server listens on ${host}, but the address that clients use is not set.`,
      'Set HOLDFAST_PUBLIC_URL, or HOLDFAST_HOST=127.0.0.1 if only this machine uses it.',
    )
  if (isAny(host) && isLoopback(name ?? ''))
    return warning(
      'addresses',
      `The server listens on ${host}, but HOLDFAST_PUBLIC_URL is ${publicUrl}.`,
      'Set HOLDFAST_PUBLIC_URL to the address that clients use, or HOLDFAST_HOST=127.0.0.1.',
    )
  return ok('addresses', publicUrl === undefined ? `listens on ${host}` : `listens on ${host}, reached as ${publicUrl}`)
}

const isAny = (host: string) => host === '0.0.0.0' || host === '::'
const isLoopback = (name: string) => name === 'localhost' || name === '[::1]' || name.startsWith('127.')
