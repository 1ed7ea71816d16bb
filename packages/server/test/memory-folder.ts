// Global setup of the test run: if memory has room, the temporary folder of all tests is there. They write thousands of small databases
// that sync each commit, and on a disk would spend most of their time waiting for that.

import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

export const memory = '/dev/shm'
const neededBytes = 2 * 2 ** 30

/** Runs before everything that creates folders: test files and programs that they start inherit the setting. */
export async function setup(): Promise<() => Promise<void>> {
  if (!(await hasRoom())) return async () => {}
  const folder = await mkdtemp(join(memory, 'holdfast-tests-'))
  // The PostgreSQL of the run belongs to another user, who needs access to its own folder in there.
  await chmod(folder, 0o711)
  process.env['TMPDIR'] = folder
  return () => rm(folder, { recursive: true, force: true })
}

async function hasRoom(): Promise<boolean> {
  if (process.availableMemory() < 2 * neededBytes) return false
  const found = await statfs(memory).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize >= neededBytes
}
