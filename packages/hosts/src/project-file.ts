import { defaultUrl, nameLine } from '@holdfast/client'
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** `.holdfast.json` names the vault for a project's agents. It may be committed, so it never contains a key. */
export const projectFileName = '.holdfast.json'

export const hookNames = ['sessionStart', 'prompt', 'turn', 'checkpoint', 'end'] as const

export type HookName = (typeof hookNames)[number]

export interface ProjectFile {
  path: string
  /** Name or id. */
  vault: string | undefined
  /** As written in the file. Send a key only to the result of `getServerUrl`. */
  url: string | undefined
  /** Mode of the sessions that hooks start. Without it, the vault's default. */
  mode: string | undefined
  /** Hooks that the project turns off. */
  hooksOff: ReadonlySet<HookName>
}

/** The message has the path and what to do, but nothing from the file. */
export class ProjectFileError extends Error {}

const maxBytes = 65_536

/**
 * Finds the nearest project file, from a folder up to the root of its repository (`.git`), the home folder, or the last
 * folder that only the user can write to. Others could plant a file above that. Throws a ProjectFileError if the file is
 * invalid or belongs to someone else.
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

/** Returns the file's server. It may only be the default address, because the author of the file must not choose where the key goes. */
export function getServerUrl(project: ProjectFile | undefined): string | undefined {
  if (project?.url === undefined) return undefined
  if (usualUrls.has(project.url.replace(/\/$/, ''))) return project.url.replace(/\/$/, '')
  throw refuse(
    project.path,
    `names a server other than ${defaultUrl}. To send your key there, set HOLDFAST_URL yourself`,
  )
}

const usualUrls: ReadonlySet<string> = new Set([defaultUrl, defaultUrl.replace('127.0.0.1', 'localhost')])

const refuse = (path: string, why: string) => new ProjectFileError(`${nameLine(path)} ${why}.`)

// Systems without file owners return -1.
const isOwn = (uid: number) => userInfo().uid < 0 || uid === userInfo().uid

function isOwnFolder(folder: string): boolean {
  try {
    const { uid, mode } = statSync(folder)
    return isOwn(uid) && (userInfo().uid < 0 || (mode & 0o002) === 0)
  } catch {
    return false
  }
}

/** Opens without waiting, because the file may be a pipe, and reads no more than the limit, because it may be a device. */
function readIfThere(path: string): string | undefined {
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw refuse(path, 'is not a file')
    if (!isOwn(found.uid)) throw refuse(path, 'belongs to another user. Create your own, or delete it')
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
    // Windows has no such flag.
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
    throw refuse(path, 'is invalid. Write it again, for example as {"vault":"app"}')
  return {
    path,
    vault: asText(vault),
    url: asText(url),
    mode: asText(mode),
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

// These values are printed on one line, for people and agents.
const isLineOrAbsent = (value: unknown) =>
  value === undefined || (typeof value === 'string' && value !== '' && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value))
const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** `false` and 0 turn hooks off, for one or for all. */
function readHooksOff(hooks: unknown): ReadonlySet<HookName> {
  const isOff = (value: unknown) => value === false || value === 0
  if (isOff(hooks)) return new Set(hookNames)
  return new Set(isObject(hooks) ? hookNames.filter((name) => isOff(hooks[name])) : [])
}
