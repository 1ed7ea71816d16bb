import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

/** Windows has no such modes; there, who may read a file depends on its folder. */
const hasModes = process.platform !== 'win32'

/** Whether other users of this machine can read or write the file or folder. */
export const isOpenToOthers = (path: string): boolean =>
  hasModes && existsSync(path) && (statSync(path).mode & 0o077) !== 0

/**
 * Creates the file if it doesn't exist. Others can't read it afterwards, whatever the mode of its folder. Never opens an existing file:
 * closing it would release the locks that this process has on it.
 */
export function createPrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  closeToOthers(file)
}

/** Only the owner of a file can do that. If it is someone else, the file keeps its mode. */
export function closeToOthers(file: string): void {
  if (!isOpenToOthers(file) || process.getuid?.() !== statSync(file).uid) return
  chmodSync(file, 0o600)
}
