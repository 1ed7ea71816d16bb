import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createRandomKey, type WrappingKey } from '../crypto/keys.ts'
import { driverCode, StoreError } from '../db/dialect.ts'

/** The file of the root keys, one a line, the first first. Whatever is written here is on disk before it is used. */

/** For a new instance. A file that is there is never written over. */
export function makeKeyFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeKeys(file, [createRandomKey().export()])
    syncFolder(dirname(file))
  } catch (error) {
    throw new StoreError(
      `The root key cannot be written to ${file} (${driverCode(error)}).\n` +
        'Set HOLDFAST_KEY_DIR to a folder that can be made and written; it must lie outside the data folder.',
      { cause: error },
    )
  }
}

/** Puts other keys in the place of those in the file: after a crash there are either the ones or the others. */
export function replaceKeyFile(file: string, keys: readonly WrappingKey[]): void {
  // What is a link stays one.
  const target = realpathSync(file)
  const draft = `${target}.new`
  // Of a crash; others could have given it another mode.
  rmSync(draft, { force: true })
  writeKeys(
    draft,
    keys.map(({ key }) => key.export()),
  )
  takeOwnerOf(target, draft)
  renameSync(draft, target)
  syncFolder(dirname(target))
}

/**
 * Keeps a key that is used no longer in a file of its own beside the others, for backups from before. Says where; does nothing where
 * it was kept already.
 */
export function setKeyAside(file: string, { id, key }: WrappingKey, at: number): string {
  const target = realpathSync(file)
  const day = new Date(at).toISOString().slice(0, 10)
  const kept = join(dirname(target), `${basename(target, '.key')}.until-${day}.${id}.key`)
  if (!existsSync(kept)) {
    const draft = `${kept}.new`
    rmSync(draft, { force: true })
    writeKeys(draft, [key.export()])
    takeOwnerOf(target, draft)
    renameSync(draft, kept)
    syncFolder(dirname(kept))
  }
  return kept
}

/** The superuser may call a command for a server that runs as somebody else. */
export function takeOwnerOf(file: string, draft: string): void {
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

// The name, too, must survive a power cut. Windows cannot open folders.
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
