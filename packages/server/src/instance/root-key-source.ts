import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { keyFromBytes, rootKeysFrom, type RootKeys } from '../crypto/keys.ts'
import { driverCode, StoreError } from '../db/dialect.ts'
import { makeKeyFile } from './root-key-file.ts'

/** Where root keys come from: a text (environment), a command that prints them, or a file in `dir` (the default). */
export interface RootKeySource {
  text: string | undefined
  command: string | undefined
  dir: string
}

export interface LoadedRootKeys {
  keys: RootKeys
  /** In words, for the start-up block. */
  origin: string
}

/** Whether the keys lie in a file that this process may write; others it is only told. */
export const isFileSource = ({ text, command }: RootKeySource) => text === undefined && command === undefined

export const rootKeyFile = (source: RootKeySource, instanceId: string) => join(source.dir, `${instanceId}.key`)

/** Loads the keys of an instance that exists; a missing file is explained, never replaced by a new key. */
export function loadRootKeys(source: RootKeySource, instanceId: string): LoadedRootKeys {
  if (source.text !== undefined)
    return { keys: parseRootKeys(source.text, 'HOLDFAST_ROOT_KEY'), origin: 'HOLDFAST_ROOT_KEY' }
  if (source.command !== undefined)
    return {
      keys: parseRootKeys(runCommand(source.command), 'the output of HOLDFAST_ROOT_KEY_COMMAND'),
      origin: 'HOLDFAST_ROOT_KEY_COMMAND',
    }
  const file = rootKeyFile(source, instanceId)
  if (!existsSync(file))
    throw new StoreError(
      `The root key of this data folder is missing: ${file}\n` +
        'Without it nothing stored can be read. Put the file back from where you keep its copy (mode 0600), or start with\n' +
        'HOLDFAST_KEY_DIR set to the folder that holds it, or with HOLDFAST_ROOT_KEY set to the key itself.',
    )
  return { keys: parseRootKeys(readKeyFile(file), file), origin: file }
}

/** For a new instance: the given keys, or a fresh one, on disk before anything is sealed under it. */
export function createRootKeys(source: RootKeySource, instanceId: string): LoadedRootKeys {
  if (isFileSource(source)) makeKeyFile(rootKeyFile(source, instanceId))
  return loadRootKeys(source, instanceId)
}

function parseRootKeys(text: string, origin: string): RootKeys {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  // Checked as text: Node's decoders pass over characters that do not belong there.
  if (parts.length === 0 || !parts.every((part) => isHexKey(part) || /^[\w+/-]{43}=?$/.test(part)))
    throw new StoreError(`${origin} does not hold root keys: each is 32 bytes, as base64 (44 characters) or hex (64).`)
  const bytes = parts.map((part) => Buffer.from(part, isHexKey(part) ? 'hex' : 'base64'))
  const keys = bytes.map(keyFromBytes)
  for (const key of bytes) key.fill(0)
  return rootKeysFrom(keys)
}

const isHexKey = (text: string) => /^[0-9a-f]{64}$/i.test(text)

function runCommand(command: string): string {
  try {
    return execFileSync(command, {
      shell: true,
      encoding: 'utf8',
      timeout: 30_000,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  } catch (error) {
    throw new StoreError('HOLDFAST_ROOT_KEY_COMMAND failed: it must print the root key and exit with 0.', {
      cause: error,
    })
  }
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StoreError(`The root key in ${file} cannot be read (${driverCode(error)}). Check whose file it is.`, {
      cause: error,
    })
  }
}

/** A key file that others can read is worth a word; the mode means nothing on Windows. */
export function isExposed(file: string): boolean {
  return process.platform !== 'win32' && existsSync(file) && (statSync(file).mode & 0o077) !== 0
}
