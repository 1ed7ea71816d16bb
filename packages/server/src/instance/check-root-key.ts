import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { failed, ok, type Finding } from '../core/finding.ts'
import { isExposed } from './root-key-source.ts'

/** `origin`: the file or setting that the root key came from; it has opened the store. */
export function checkRootKey(origin: string): Finding {
  if (!isAbsolute(origin)) return ok('root key', `from ${origin}; it opens the store`)
  if (!existsSync(origin))
    return failed(
      'root key',
      `The file of the root key is gone: ${origin}. The server still has it in memory.`,
      'Put the copy back before the server stops: without it nothing can be read after.',
    )
  return isExposed(origin)
    ? failed('root key', `Others on this machine can read ${origin}.`, `chmod 600 "${origin}"`)
    : ok('root key', `${origin}; it opens the store`)
}
