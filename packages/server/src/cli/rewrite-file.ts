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
import { quoteForShell } from '../core/quote-for-shell.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

/** Reads a file with its byte order mark; an empty text if there is no file. Throws a CommandError if it isn't UTF-8. */
export function readIfThere(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    if (error instanceof TypeError)
      throw new CommandError(
        exitCodes.failure,
        `${path} is not UTF-8. It was not changed.`,
        'Save it as UTF-8, then try again.',
      )
    throw new CommandError(exitCodes.failure, `Cannot read ${path}${code === '' ? '' : ` (${code})`}.`)
  }
}

interface Rewriting {
  /** Makes the file readable only by its user. */
  isSecret?: boolean
  keepsCopy?: boolean
  /** A folder that must contain the file: a link in a project may lead anywhere. */
  within?: string | undefined
}

/**
 * Replaces a file's text, completely or not at all, and follows links. Keeps a copy of the previous file in the user's state
 * folder, where it can't be committed. Returns the copy's path, or undefined if there was no file.
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
      throw new CommandError(
        exitCodes.failure,
        `${path} is read-only. It was not changed.`,
        `chmod u+w ${quoteForShell(path)}`,
      )
    const copy = keepsCopy && isThere ? keepCopy(target) : undefined
    replace(target, text, isSecret ? 0o600 : mode)
    return copy
  } catch (error) {
    if (error instanceof CommandError) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    throw new CommandError(exitCodes.failure, `Cannot write ${path}${code === '' ? '' : ` (${code})`}.`)
  }
}

/** Deletes the file. Like `rewriteFile`, it keeps a copy and refuses links out of the project. */
export function removeFile(path: string, options: Rewriting = {}): string | undefined {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  const copy = rewriteFile(path, '', options)
  // A link is there on purpose: keep it and leave its target empty.
  if (!isLink) rmSync(path, { force: true })
  return copy
}

function targetOf(path: string, within: string | undefined): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (isLink && !existsSync(path))
    throw new CommandError(exitCodes.failure, `${path} is a broken link. It was not changed.`)
  const target = realPathOf(path)
  if (within === undefined) return target
  const way = relative(realpathSync(within), target)
  if (way === '..' || /^\.\.[\\/]/.test(way) || isAbsolute(way))
    throw new CommandError(
      exitCodes.failure,
      `${path} leads out of the project, to ${target}. It was not changed.`,
      'Replace the link with a file, or edit the target yourself.',
    )
  return target
}

/** Also works for files and folders that don't exist yet. */
const realPathOf = (path: string): string =>
  existsSync(path) || dirname(path) === path ? realpathSync(path) : join(realPathOf(dirname(path)), basename(path))

function keepCopy(target: string): string {
  const folder = copiesFolder()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, `${basename(target)}.${stamp()}.${newId()}.bak`)
  // Private from the start, before it has any content.
  writeFileSync(copy, readFileSync(target), { mode: 0o600, flag: 'wx' })
  return copy
}

function replace(target: string, text: string, mode: number): void {
  const fresh = `${target}.${newId()}.tmp`
  try {
    writeFileSync(fresh, text, { mode, flag: 'wx' })
    // The process's umask doesn't apply to a file that existed.
    chmodSync(fresh, mode)
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

const stamp = () => new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)

/** Edits a text and keeps its byte order mark and line ends. `isMixed`: it has both kinds of line ends, which only edits in place keep. */
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
