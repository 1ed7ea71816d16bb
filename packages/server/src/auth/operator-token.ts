import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { equalBytes, hashSecret, isWellFormedSecret, newSecret } from '../crypto/secrets.ts'

/**
 * Anyone who can read the data folder of a running server is its operator: the server writes its URL and a token for this run
 * there, in a file that only its own user can read, and the command line uses it.
 */
export interface OperatorToken {
  /** For calls from within this process. */
  token: string
  accepts(token: string): boolean
  /** Writes the file, once the URL is known. */
  publish(url: string): void
  withdraw(): void
}

export interface RunningServer {
  url: string
  token: string
}

const runFile = (dataDir: string) => join(dataDir, 'server.json')

export function createOperatorToken(dataDir: string): OperatorToken {
  const token = newSecret('hfo_')
  const hash = hashSecret(token)
  const file = runFile(dataDir)
  return {
    token,
    accepts: (given) => isWellFormedSecret('hfo_', given) && equalBytes(hashSecret(given), hash),
    publish(url) {
      rmSync(file, { force: true })
      writeFileSync(file, `${JSON.stringify({ url, token } satisfies RunningServer)}\n`, { mode: 0o600 })
    },
    withdraw: () => rmSync(file, { force: true }),
  }
}

/** URL and token from the file of a server on this folder, which may have crashed since. */
export function findRunningServer(dataDir: string): RunningServer | undefined {
  if (!existsSync(runFile(dataDir))) return undefined
  const { url, token } = parsed(readFileSync(runFile(dataDir), 'utf8'))
  return typeof url === 'string' && typeof token === 'string' ? { url, token } : undefined
}

// A crash may have truncated the file.
function parsed(text: string): { url?: unknown; token?: unknown } {
  try {
    return Object(JSON.parse(text)) as object
  } catch {
    return {}
  }
}
