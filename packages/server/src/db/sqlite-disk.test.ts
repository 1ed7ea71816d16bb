import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockDataDir } from '../instance/lock.ts'
import { migrate } from './migrate.ts'
import { openFailure } from './sqlite-disk.ts'
import { openSqlite, refuseDamagedSqlite, sqliteFile } from './sqlite.ts'

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-disk-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** Puts into the folder what a killed server leaves: everything is in the WAL. */
async function leaveStore(dir: string): Promise<void> {
  const origin = makeFolder()
  const db = openSqlite(origin)
  await migrate(db)
  for (const end of ['', '-wal']) copyFileSync(sqliteFile(origin) + end, sqliteFile(dir) + end)
  await db.close()
}

/** What a server does with its data folder at the start. */
function start(dir: string) {
  const lock = lockDataDir(dir)
  try {
    refuseDamagedSqlite(dir)
    return openSqlite(dir)
  } finally {
    lock.release()
  }
}

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : ''
  }
  return 'no error'
}

const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'pipe' })

const skipped =
  process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'only root may mount a small disk on Linux'

describe.skipIf(skipped)(`a start${skipped === undefined ? '' : ` (skipped: ${skipped})`}`, () => {
  async function mountSmallDisk(skip: (reason: string) => never): Promise<string> {
    const dir = makeFolder()
    try {
      mount('-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dir)
    } catch {
      return skip('this machine mounts no disk')
    }
    onTestFinished(() => void execFileSync('umount', ['-l', dir]))
    await leaveStore(dir)
    return dir
  }

  it.for([0, 4, 12, 24, 40])('on a disk with %i KiB free is told so, not that it is damaged', async (free, test) => {
    const dir = await mountSmallDisk((reason) => test.skip(reason))
    // The file of the lock exists at each start but the first.
    lockDataDir(dir).release()
    const ballast = join(dir, 'ballast')
    const { bavail, bsize } = statfsSync(dir)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - free * 1024))
    const message = messageOf(() => start(dir))
    expect(message).toMatch(/^StoreError: The disk of .* is full .*Nothing was changed\. Free some space/)
    expect(message).not.toMatch(/damaged|backup/)

    rmSync(ballast)
    const db = start(dir)
    await migrate(db)
    await db.close()
  })

  it('on a read-only disk is told so, not that it is damaged', async (test) => {
    const dir = await mountSmallDisk((reason) => test.skip(reason))
    lockDataDir(dir).release()
    mount('-o', 'remount,ro', dir)
    const message = messageOf(() => start(dir))
    expect(message).toMatch(/^StoreError: The disk of .* is read-only .*Nothing was changed\. Mount it for writing/)
    expect(message).not.toMatch(/damaged|backup/)

    mount('-o', 'remount,rw', dir)
    const db = start(dir)
    await migrate(db)
    await db.close()
  })
})

// The superuser can read everything, and Windows has no such modes.
it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a file of another user is not called damaged',
  async () => {
    const dir = makeFolder()
    await leaveStore(dir)
    chmodSync(sqliteFile(dir), 0o000)
    expect(messageOf(() => start(dir))).toMatch(/^StoreError: This user may not read and write .*EACCES/)
  },
)

describe('what is said about a database that does not open', () => {
  const failure = (code: string) => openFailure('/data/holdfast.db', Object.assign(new Error('text'), { code })).message

  it.each(['SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB'])('names backups after %s', (code) => {
    expect(failure(code)).toMatch(/damaged or unreadable .*Nothing was changed.*last good backup/)
  })

  it.each([
    ['SQLITE_FULL', 'is full'],
    ['SQLITE_IOERR_SHMSIZE', 'is full'],
    ['EDQUOT', 'is full'],
    ['EROFS', 'is read-only'],
    ['SQLITE_READONLY_DIRECTORY', 'is read-only'],
    ['EACCES', 'may not read and write'],
    ['SQLITE_CANTOPEN', 'may not read and write'],
    ['SQLITE_IOERR_READ', 'disk may be failing'],
    ['SQLITE_BUSY', 'Another program'],
  ])('does not name them after %s', (code, said) => {
    expect(failure(code)).toContain(said)
    expect(failure(code)).toContain('Nothing was changed')
    expect(failure(code)).not.toMatch(/damaged|backup/)
  })
})
