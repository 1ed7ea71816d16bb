import { BackupProblem } from '../../backups/backup-file.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'

/** What is said on the way of a backup and back. */

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

interface Share {
  doneBytes: number
  totalBytes: number
}

/** A share that moves on a terminal; nothing where nobody watches. */
export function showShare(isQuiet: boolean): { step(what: string, share: Share): void; end(): void } {
  const isShown = process.stderr.isTTY && !isQuiet
  let shownAt = 0
  return {
    step(what, { doneBytes, totalBytes }) {
      if (!isShown || totalBytes === 0 || Date.now() - shownAt < 100) return
      shownAt = Date.now()
      process.stderr.write(
        `\r${what} ${Math.floor((100 * doneBytes) / totalBytes)} % of ${megabytes(totalBytes)}\u001b[K`,
      )
    },
    end: () => void (isShown && process.stderr.write('\r\u001b[K')),
  }
}

/** Why a file is no way back, as the end of a command. */
export function explainUnusable(file: string, error: unknown): unknown {
  if (!(error instanceof BackupProblem)) return error
  const [message = '', ...next] = error.message.split('\n')
  return new CommandError(
    exitCodes.failure,
    `${file} cannot be restored here. ${message}`,
    next.length === 0 ? undefined : next.join('\n'),
  )
}
