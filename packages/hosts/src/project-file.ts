import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** `.holdfast.json`: which vault a project's agents work in. It may be shared with the project, so it never holds a key. */
export const projectFileName = '.holdfast.json'

export const hookNames = ['sessionStart', 'prompt', 'turn', 'checkpoint', 'end'] as const

export type HookName = (typeof hookNames)[number]

export interface ProjectFile {
  path: string
  /** By name or id. */
  vault: string | undefined
  /** Only of this machine: whoever wrote the file must not choose where a key is sent. */
  url: string | undefined
  /** Kind of session that the hooks begin; the vault's own where there is none. */
  mode: string | undefined
  /** Hooks that are switched off here. */
  hooksOff: ReadonlySet<HookName>
}

/** Its path is in the message. */
export class ProjectFileError extends Error {}

const maxBytes = 65_536

/** The nearest one upwards from a folder; undefined where there is none. Throws a ProjectFileError for one that is broken. */
export function findProjectFile(folder: string): ProjectFile | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, projectFileName)
    const text = readIfThere(path)
    if (text !== undefined) return parse(path, text)
    if (dirname(at) === at) return undefined
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').slice(0, maxBytes)
  } catch {
    return undefined
  }
}

function parse(path: string, text: string): ProjectFile {
  const file = parseObject(text)
  const [vault, url, mode] = ['vault', 'url', 'mode'].map((name) => file?.[name])
  if (file === undefined || [vault, url, mode].some((value) => !isTextOrAbsent(value)))
    throw new ProjectFileError(`${path} is not as it should be.`)
  return {
    path,
    vault: textOf(vault),
    url: isLocal(textOf(url)) ? textOf(url) : undefined,
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

const isTextOrAbsent = (value: unknown) => value === undefined || (typeof value === 'string' && value !== '')
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** `false` and 0 switch off, for one hook or for all: a setting that says off must not be half on. */
function readHooksOff(hooks: unknown): ReadonlySet<HookName> {
  const isOff = (value: unknown) => value === false || value === 0
  if (isOff(hooks)) return new Set(hookNames)
  return new Set(isObject(hooks) ? hookNames.filter((name) => isOff(hooks[name])) : [])
}

// Node 20 has no URL.parse.
const isLocal = (url = '') => URL.canParse(url) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname)
