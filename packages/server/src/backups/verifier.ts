import { unavailable } from '../core/errors.ts'
import type { Database } from '../db/dialect.ts'
import type { LoadedRootKeys } from '../instance/root-key-source.ts'
import { BackupProblem } from './backup-file.ts'
import { keepCheck } from './backup-folder.ts'
import { describeFailure } from './describe-failure.ts'
import { proveBackup } from './prove-backup.ts'

interface Deps {
  db: Database
  folder: string
  stopping: AbortSignal
  keysOf(instanceId: string): LoadedRootKeys
  now(): number
}

export interface Verifier {
  /** Reads the whole file and stores the result. Parallel calls share one check. */
  verify(file: string): Promise<void>
  /** Running checks. */
  running(): Promise<void>[]
}

export function createVerifier({ db, folder, stopping, keysOf, now }: Deps): Verifier {
  const checks = new Map<string, Promise<void>>()

  async function check(file: string): Promise<void> {
    const problem = await problemOf(file)
    await keepCheck(file, { at: now(), problem }).catch((error: unknown) => {
      throw unavailable(describeFailure(error, db, folder), { cause: error })
    })
  }

  async function problemOf(file: string): Promise<string | null> {
    try {
      await proveBackup(file, { signal: stopping, onProgress: () => {}, keysOf })
      return null
    } catch (error) {
      if (error instanceof BackupProblem) return error.message
      throw error
    }
  }

  return {
    verify(file) {
      const known = checks.get(file)
      if (known !== undefined) return known
      const checking = check(file).finally(() => checks.delete(file))
      checks.set(file, checking)
      return checking
    },
    running: () => [...checks.values()],
  }
}
