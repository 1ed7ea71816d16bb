import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { CommandError, exitCodes } from './exit-codes.ts'

/** `.holdfast.json`: which vault a project's agents work in. It may be shared with the project, so it never holds a key. */
export const projectFileName = '.holdfast.json'

const projectFile = z.looseObject({ vault: z.string().min(1).optional(), url: z.string().optional() })

export interface ProjectFile {
  path: string
  /** By name or id. */
  vault: string | undefined
  /** Only of this machine: whoever wrote the file must not choose where a key is sent. */
  url: string | undefined
}

const maxBytes = 65_536

/** The nearest one upwards from a folder; undefined where there is none. Throws a CommandError for one that is broken. */
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
  const { data } = projectFile.safeParse(parseJson(text))
  if (data === undefined)
    throw new CommandError(
      exitCodes.failure,
      `${path} is not as it should be.`,
      'Write it anew, such as {"vault":"app"}.',
    )
  return { path, vault: data.vault, url: isLocal(data.url) ? data.url : undefined }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isLocal = (url: string | undefined) =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(URL.parse(url ?? '')?.hostname ?? '')
