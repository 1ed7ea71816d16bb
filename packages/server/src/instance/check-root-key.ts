import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { commandLine } from '../core/command-line.ts'
import { failed, ok, warning, type Finding } from '../core/finding.ts'
import { dayOf } from '../core/time.ts'
import { isExposed } from './root-key-source.ts'
import type { RootKeyUse } from './root-key-store.ts'

/** `origin`: the file or setting that the root key came from; it has opened the store. */
export function checkRootKey(origin: string, { since, state }: RootKeyUse): Finding {
  const fix = `${commandLine} rotate-key`
  if (isAbsolute(origin) && !existsSync(origin))
    return failed(
      'root key',
      `The file of the root key is gone: ${origin}. The server still has it in memory.`,
      'Put the copy back before the server stops: without it nothing can be read after.',
    )
  if (isAbsolute(origin) && isExposed(origin))
    return failed('root key', `Others on this machine can read ${origin}.`, `chmod 600 "${origin}"`)
  if (state === 'unfinished')
    return warning('root key', 'Its change is not finished; it goes on with the next call.', fix)
  if (state === 'prepared') return warning('root key', `${origin} has a new key, which is not in use yet.`, fix)
  const from = isAbsolute(origin) ? origin : `from ${origin}`
  return ok('root key', `${from}, since ${dayOf(since)}; it opens the store`)
}
