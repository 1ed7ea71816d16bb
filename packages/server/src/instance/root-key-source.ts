import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyFromBytes, rootKeysFrom, type RootKeys } from '../crypto/keys.ts'
import { driverCode, StoreError } from '../db/store-error.ts'
import { makeKeyFile } from './root-key-file.ts'

/** Where root keys come from: a setting, a command that prints them, or a file in `dir` (the default). */
export interface RootKeySource {
  /** Parsed when the settings were read, so that their text isn't kept in memory. */
  given: RootKeys | undefined
  /** The variable that they come from. Default: HOLDFAST_ROOT_KEY. */
  givenIn?: string
  command: string | undefined
  dir: string
}

export interface LoadedRootKeys {
  keys: RootKeys
  /** For people: a path or the name of a setting. */
  origin: string
  /** The key file, unless a setting provides the keys. */
  file?: string
}

/** Whether the keys are in a file that this process may write. Keys from settings can't be changed here. */
export const isFileSource = ({ given, command }: RootKeySource) => given === undefined && command === undefined

export const rootKeyFile = (source: RootKeySource, instanceId: string) => join(source.dir, `${instanceId}.key`)

/** Loads the keys of an existing instance. Throws if the file is missing and never creates a new key. */
export function loadRootKeys(source: RootKeySource, instanceId: string): LoadedRootKeys {
  if (source.given !== undefined) return { keys: source.given, origin: source.givenIn ?? 'HOLDFAST_ROOT_KEY' }
  if (source.command !== undefined)
    return {
      keys: parseRootKeys(runCommand(source.command), 'the output of HOLDFAST_ROOT_KEY_COMMAND'),
      origin: 'HOLDFAST_ROOT_KEY_COMMAND',
    }
  const file = rootKeyFile(source, instanceId)
  if (!existsSync(file))
    throw new StoreError(
      `The root key of this data folder is missing: ${file}\n` +
        'Without it, the data is unreadable. Put the file back from your copy (mode 0600), or set HOLDFAST_KEY_DIR to the\n' +
        'folder that contains it, or HOLDFAST_ROOT_KEY to the key itself.',
    )
  return { keys: parseRootKeys(readKeyFile(file), file), origin: file, file }
}

/** For a new instance: the given keys, or a new key, on disk before anything is sealed under it. */
export function createRootKeys(source: RootKeySource, instanceId: string): LoadedRootKeys {
  if (isFileSource(source)) makeKeyFile(rootKeyFile(source, instanceId))
  return loadRootKeys(source, instanceId)
}

/** Throws a StoreError that names the origin. */
export function parseRootKeys(text: string, origin: string): RootKeys {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  // Checked as text: Node's decoders ignore invalid characters.
  if (parts.length === 0 || !parts.every((part) => isHexKey(part) || /^[\w+/-]{43}=?$/.test(part)))
    throw new StoreError(
      `${origin} does not contain valid root keys: each is 32 bytes, as base64 (44 characters) or hex (64).`,
    )
  const bytes = parts.map((part) => Buffer.from(part, isHexKey(part) ? 'hex' : 'base64'))
  const keys = bytes.map(keyFromBytes)
  for (const key of bytes) key.fill(0)
  // The engine keeps the text of the last successful match (`RegExp.$_`), which was a key.
  isHexKey('0'.repeat(64))
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
    throw new StoreError(`Cannot read the root key in ${file} (${driverCode(error)}). Check the owner of the file.`, {
      cause: error,
    })
  }
}
