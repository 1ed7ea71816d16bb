import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { newId } from '../core/ids.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

/** What is in a file that may not be there yet. */
export function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw new CommandError(exitCodes.failure, `${path} cannot be read.`)
  }
}

/**
 * Puts a new text in the place of a file's, whole or not at all, and keeps the former one beside it; links are followed.
 * `isSecret`: only its user may read it from now on, the copy as well. The copy's path, where there was something to copy.
 */
export function rewriteFile(
  path: string,
  text: string,
  { isSecret = false, keepsCopy = true } = {},
): string | undefined {
  try {
    const target = existsSync(path) ? realpathSync(path) : path
    mkdirSync(dirname(target), { recursive: true })
    const mode = isSecret ? 0o600 : existsSync(target) ? statSync(target).mode & 0o777 : 0o644
    const copy = keepsCopy && existsSync(target) ? `${target}.${stamp()}.bak` : undefined
    if (copy !== undefined) {
      copyFileSync(target, copy)
      chmodSync(copy, mode)
    }
    const fresh = `${target}.${newId()}.tmp`
    writeFileSync(fresh, text, { mode })
    renameSync(fresh, target)
    return copy
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new CommandError(exitCodes.failure, `${path} cannot be written${code === '' ? '' : ` (${code})`}.`)
  }
}

const stamp = () => new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
