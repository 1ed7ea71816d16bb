import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from '../core/durable-file.ts'
import { createRandomKey, type WrappingKey } from '../crypto/keys.ts'
import { driverCode, StoreError } from '../db/store-error.ts'

/** The root key file: one key per line, the primary key first. Every write is synced before the key is used. */

/** For a new instance. Never overwrites a file. */
export function makeKeyFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeKeys(file, [createRandomKey().export()])
    syncFolder(dirname(file))
  } catch (error) {
    throw new StoreError(
      `Cannot write the root key to ${file} (${driverCode(error)}).\n` +
        'Set HOLDFAST_KEY_DIR to a writable folder outside the data folder.',
      { cause: error },
    )
  }
}

/** Replaces the keys in the file. After a crash the file has either the old keys or the new ones. */
export function replaceKeyFile(file: string, keys: readonly WrappingKey[]): void {
  // Keep a link a link.
  const target = realpathSync(file)
  const draft = `${target}.new`
  // Left by a crash, or created by others with another mode.
  rmSync(draft, { force: true })
  writeKeys(
    draft,
    keys.map(({ key }) => key.export()),
  )
  copyOwner(target, draft)
  renameSync(draft, target)
  syncFolder(dirname(target))
}

/**
 * Keeps a retired key in its own file next to the key file, for older backups. Returns its path. Does nothing if the file exists.
 */
export function keepFormerKey(file: string, { id, key }: WrappingKey, at: number): string {
  const target = realpathSync(file)
  const day = new Date(at).toISOString().slice(0, 10)
  const kept = join(dirname(target), `${basename(target, '.key')}.until-${day}.${id}.key`)
  if (!existsSync(kept)) {
    const draft = `${kept}.new`
    rmSync(draft, { force: true })
    writeKeys(draft, [key.export()])
    copyOwner(target, draft)
    renameSync(draft, kept)
    syncFolder(dirname(kept))
  }
  return kept
}

/** The file in which `keepFormerKey` has kept this key next to the key file. */
export function findFormerKey(file: string, id: string): string | undefined {
  const target = realpathSync(file)
  const kept = readdirSync(dirname(target)).find(
    (name) => name.startsWith(`${basename(target, '.key')}.until-`) && name.endsWith(`.${id}.key`),
  )
  return kept === undefined ? undefined : join(dirname(target), kept)
}

/** Root may run a command for a server that runs as another user. */
export function copyOwner(file: string, draft: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(file)
  chownSync(draft, uid, gid)
}

function writeKeys(file: string, keys: readonly Buffer[]): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    for (const key of keys) {
      writeSync(handle, `${key.toString('base64')}\n`)
      key.fill(0)
    }
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
