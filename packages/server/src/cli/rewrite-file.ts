import { diffLines as compareLines } from 'diff'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { copiesFolder } from '../config.ts'
import { newId } from '../core/ids.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

/** What is in a file that may not be there yet, with its byte order mark. Throws a CommandError for one that is not UTF-8. */
export function readIfThere(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    if (error instanceof TypeError)
      throw new CommandError(
        exitCodes.failure,
        `${path} is not written in UTF-8, and is left as it is.`,
        'Save it as UTF-8, and try again.',
      )
    throw new CommandError(exitCodes.failure, `${path} cannot be read${code === '' ? '' : ` (${code})`}.`)
  }
}

interface Rewriting {
  /** Only its user may read it from now on. */
  isSecret?: boolean
  keepsCopy?: boolean
  /** A folder that the file must lie in: a link in a project may lead anywhere. */
  within?: string | undefined
}

/**
 * Puts a new text in the place of a file's, whole or not at all; links are followed. The former one is kept in a folder of the
 * user's own, away from what may be committed. The copy's path, where there was something to copy.
 */
export function rewriteFile(
  path: string,
  text: string,
  { isSecret = false, keepsCopy = true, within }: Rewriting = {},
): string | undefined {
  try {
    const target = targetOf(path, within)
    mkdirSync(dirname(target), { recursive: true })
    const isThere = existsSync(target)
    const mode = isThere ? statSync(target).mode & 0o777 : 0o644
    if (isThere && (mode & 0o200) === 0)
      throw new CommandError(exitCodes.failure, `${path} is read-only, and is left as it is.`, `chmod u+w "${path}"`)
    const copy = keepsCopy && isThere ? copyAway(target) : undefined
    replace(target, text, isSecret ? 0o600 : mode)
    return copy
  } catch (error) {
    if (error instanceof CommandError) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    throw new CommandError(exitCodes.failure, `${path} cannot be written${code === '' ? '' : ` (${code})`}.`)
  }
}

/** Takes the file away, as `rewriteFile` would write it: with a copy, and not where a link leads out. */
export function removeFile(path: string, options: Rewriting = {}): string | undefined {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  const copy = rewriteFile(path, '', options)
  // A link was put there on purpose: the file that it leads to is left empty.
  if (!isLink) rmSync(path, { force: true })
  return copy
}

function targetOf(path: string, within: string | undefined): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (isLink && !existsSync(path))
    throw new CommandError(exitCodes.failure, `${path} is a link to nothing, and is left as it is.`)
  const target = realPathOf(path)
  if (within === undefined) return target
  const way = relative(realpathSync(within), target)
  if (way === '..' || /^\.\.[\\/]/.test(way) || isAbsolute(way))
    throw new CommandError(
      exitCodes.failure,
      `${path} leads out of the project, to ${target}; it is left as it is.`,
      'Put a file in the place of the link, or change the other one yourself.',
    )
  return target
}

/** Of a file that may not be there yet, in folders that may not be there either. */
const realPathOf = (path: string): string =>
  existsSync(path) || dirname(path) === path ? realpathSync(path) : join(realPathOf(dirname(path)), basename(path))

function copyAway(target: string): string {
  const folder = copiesFolder()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, `${basename(target)}.${stamp()}.${newId()}.bak`)
  // Closed to others before there is anything to read in it.
  writeFileSync(copy, readFileSync(target), { mode: 0o600, flag: 'wx' })
  return copy
}

function replace(target: string, text: string, mode: number): void {
  const fresh = `${target}.${newId()}.tmp`
  try {
    writeFileSync(fresh, text, { mode, flag: 'wx' })
    // What the process masks out of new files was there before.
    chmodSync(fresh, mode)
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

const stamp = () => new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)

/** How a text file is written down, which an edit leaves as it was: its byte order mark and its line ends. */

/** Edits what the file says. `mixed` tells whether its line ends differ, which only edits in place can keep. */
export function editText(text: string, edit: (plain: string, isMixed: boolean) => string): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const bare = text.slice(mark.length)
  const ends = bare.match(/\r?\n/g) ?? []
  const returns = ends.filter((end) => end === '\r\n').length
  const isWindows = returns > 0 && returns === ends.length
  const plain = isWindows ? bare.replaceAll('\r\n', '\n') : bare
  const edited = edit(plain, returns > 0 && !isWindows)
  if (edited === plain) return text
  return mark + (isWindows ? edited.replaceAll('\n', '\r\n') : edited)
}

/** The lines that an edit removed and added, marked with `-` and `+`, without the unchanged lines around them. */
export function diffLines(before: string, after: string): string[] {
  return compareLines(before, after, { ignoreNewlineAtEof: true }).flatMap(({ added, removed, value }) =>
    added || removed
      ? value
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => `${added ? '+' : '-'} ${line}`)
      : [],
  )
}
