// A disk that fails at one call, or that keeps only what was synced. Both need a library that stands before the C library.

import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sqliteFile } from '../../src/db/sqlite.ts'
import { siteFor, tempDir, type Site } from './server-process.ts'

/** Why this machine cannot run such tests, if it cannot. */
export const whyNot =
  process.platform !== 'linux'
    ? 'calls are intercepted on Linux only'
    : spawnSync('gcc', ['--version']).error && 'there is no gcc'

/** An empty store on such a disk, whose calls do not fail yet. */
export interface FailingDisk {
  site: Site
  /** The same site, where the call with this number that writes to the database fails once in each process. */
  failingAt(call: number): Site
  /** Whether a call has failed since the last time. */
  hasFailed(): boolean
  /** Brings the database back to what was synced last. No server may be running. Returns whether anything was lost. */
  cutPower(): boolean
}

export function makeFailingDisk(): FailingDisk {
  const dir = tempDir()
  const [library, mark, synced] = [join(dir, 'disk.so'), join(dir, 'failed'), join(dir, 'synced')]
  mkdirSync(synced)
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, join(import.meta.dirname, 'failing-disk.c')])
  const site = siteFor({ kind: 'sqlite', dir: tempDir() })
  const file = sqliteFile(site.dataDir)
  site.env = { LD_PRELOAD: library, DISK_FILES: file, DISK_SYNCED: synced }
  return {
    site,
    failingAt: (call) => ({ ...site, env: { ...site.env, DISK_FAILS_AT: String(call), DISK_FAILED: mark } }),
    hasFailed() {
      const failed = existsSync(mark)
      rmSync(mark, { force: true })
      return failed
    },
    cutPower: () => keepOnly(site.dataDir, basename(file), synced),
  }
}

function keepOnly(dataDir: string, database: string, synced: string): boolean {
  const names = readdirSync(dataDir).filter((name) => name.startsWith(database))
  const changed = names.filter((name) => {
    const [now, copy] = [join(dataDir, name), join(synced, name)]
    return !name.endsWith('-shm') && !(existsSync(copy) && readFileSync(copy).equals(readFileSync(now)))
  })
  for (const name of names) {
    rmSync(join(dataDir, name))
    if (existsSync(join(synced, name))) copyFileSync(join(synced, name), join(dataDir, name))
  }
  return changed.length > 0
}
