import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

const folders = new Set<string>()

/** Creates a folder that is removed when this process ends, however it ends. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  if (folders.size === 0) {
    process.on('exit', () => folders.forEach((each) => rmSync(each, { recursive: true, force: true })))
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
  folders.add(folder)
  return folder
}
