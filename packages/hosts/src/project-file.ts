import { defaultUrl, nameLine } from '@holdfast/client'
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** `.holdfast.json`: which vault a project's agents work in. It may be shared with the project, so it never holds a key. */
export const projectFileName = '.holdfast.json'

export const hookNames = ['sessionStart', 'prompt', 'turn', 'checkpoint', 'end'] as const

export type HookName = (typeof hookNames)[number]

export interface ProjectFile {
  path: string
  /** By name or id. */
  vault: string | undefined
  /** As written: a key goes only where `serverOf` says. */
  url: string | undefined
  /** Kind of session that the hooks begin; the vault's own where there is none. */
  mode: string | undefined
  /** Hooks that are switched off here. */
  hooksOff: ReadonlySet<HookName>
}

/** Its path is in the message, and what to do; nothing of what the file holds. */
export class ProjectFileError extends Error {}

const maxBytes = 65_536

/**
 * The nearest one, from a folder upwards to the root of its repository (`.git`), the home folder, or the last folder that is
 * the user's alone to write: what others put above that is none of the project's. Undefined where there is none. Throws a
 * ProjectFileError for one that is broken or belongs to somebody else.
 */
export function findProjectFile(folder: string): ProjectFile | undefined {
  const home = homedir()
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, projectFileName)
    const text = readIfThere(path)
    if (text !== undefined) return parse(path, text)
    const above = dirname(at)
    if (at === home || existsSync(join(at, '.git')) || above === at || !isOwnFolder(above)) return undefined
  }
}

/** Whoever wrote the file must not choose where the user's key goes: the usual address, or nothing. Throws a ProjectFileError. */
export function serverOf(project: ProjectFile | undefined): string | undefined {
  if (project?.url === undefined) return undefined
  if (usualUrls.has(project.url.replace(/\/$/, ''))) return project.url.replace(/\/$/, '')
  throw refuse(
    project.path,
    `names another server than ${defaultUrl}. Your key is sent there only if you say so yourself, in HOLDFAST_URL`,
  )
}

const usualUrls: ReadonlySet<string> = new Set([defaultUrl, defaultUrl.replace('127.0.0.1', 'localhost')])

const refuse = (path: string, why: string) => new ProjectFileError(`${nameLine(path)} ${why}.`)

// Systems without owners answer -1.
const isOwn = (uid: number) => userInfo().uid < 0 || uid === userInfo().uid

function isOwnFolder(folder: string): boolean {
  try {
    const { uid, mode } = statSync(folder)
    return isOwn(uid) && (userInfo().uid < 0 || (mode & 0o002) === 0)
  } catch {
    return false
  }
}

/** Opened without waiting, for it may be a pipe; never read further than it may be long, for it may be a device. */
function readIfThere(path: string): string | undefined {
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw refuse(path, 'is not a file')
    if (!isOwn(found.uid)) throw refuse(path, 'belongs to another user. Go by one of your own, or delete it')
    const bytes = Buffer.alloc(maxBytes + 1)
    const read = readSync(file, bytes, 0, bytes.length, 0)
    if (read > maxBytes) throw refuse(path, `is longer than ${maxBytes} bytes`)
    return bytes.subarray(0, read).toString('utf8')
  } finally {
    closeSync(file)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    // Windows knows no such flag.
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined
    throw refuse(path, 'cannot be read')
  }
}

function parse(path: string, text: string): ProjectFile {
  const file = parseObject(text)
  const [vault, url, mode] = ['vault', 'url', 'mode'].map((name) => file?.[name])
  if (file === undefined || [vault, url, mode].some((value) => !isLineOrAbsent(value)))
    throw refuse(path, 'is not as it should be. Write it anew, such as {"vault":"app"}')
  return {
    path,
    vault: textOf(vault),
    url: textOf(url),
    mode: textOf(mode),
    hooksOff: readHooksOff(file['hooks']),
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// What a terminal or an agent is told in one line must not be more than one.
const isLineOrAbsent = (value: unknown) =>
  value === undefined || (typeof value === 'string' && value !== '' && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value))
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** `false` and 0 switch off, for one hook or for all: a setting that says off must not be half on. */
function readHooksOff(hooks: unknown): ReadonlySet<HookName> {
  const isOff = (value: unknown) => value === false || value === 0
  if (isOff(hooks)) return new Set(hookNames)
  return new Set(isObject(hooks) ? hookNames.filter((name) => isOff(hooks[name])) : [])
}
