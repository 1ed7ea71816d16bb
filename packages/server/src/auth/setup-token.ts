import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { equalBytes, hashSecret, isWellFormedSecret, newSecret } from '../crypto/secrets.ts'

/** The token for setting up the owner: valid for 30 minutes and one use, in a file that only the operator can read. */
export interface SetupToken {
  /** Creates a token and its file. */
  issue(): { token: string; file: string }
  accepts(token: string): boolean
  discard(): void
}

const lifetimeMs = 30 * 60_000

export function createSetupToken(dataDir: string, now: () => number): SetupToken {
  const file = join(dataDir, 'setup-token')
  let issued: { hash: Buffer; expiresAt: number } | undefined
  return {
    issue() {
      const token = newSecret('hfs_')
      issued = { hash: hashSecret(token), expiresAt: now() + lifetimeMs }
      // An existing file would keep its mode.
      rmSync(file, { force: true })
      writeFileSync(file, `${token}\n`, { mode: 0o600 })
      return { token, file }
    },
    accepts: (token) =>
      issued !== undefined &&
      now() < issued.expiresAt &&
      isWellFormedSecret('hfs_', token) &&
      equalBytes(hashSecret(token), issued.hash),
    discard() {
      issued = undefined
      rmSync(file, { force: true })
    },
  }
}
