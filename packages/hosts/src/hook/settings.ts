import { defaultUrl } from '@holdfast/client'
import { readFileSync } from 'node:fs'
import { findProjectFile, getServerUrl, type HookName, type ProjectFile } from '../project-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The server, key and vault of a hook. */
export interface HookSettings {
  url: string
  key: string | undefined
  vault: string | undefined
  mode: string | undefined
}

/**
 * Returns undefined if HOLDFAST_HOOKS or the project turns this hook off. A plugin's settings win over the environment,
 * because the plugin's tools use them too. Throws a ProjectFileError.
 */
export function readHookSettings(name: HookName, env: Environment, folder: string): HookSettings | undefined {
  if (isOff(env['HOLDFAST_HOOKS'])) return undefined
  const project: ProjectFile | undefined = findProjectFile(folder)
  if (project?.hooksOff.has(name) === true) return undefined
  const url = readOption(env, 'URL') ?? readVariable(env, 'HOLDFAST_URL') ?? getServerUrl(project) ?? defaultUrl
  const key = readOption(env, 'API_KEY') ?? readVariable(env, 'HOLDFAST_KEY')
  return { url, key, vault: project?.vault, mode: project?.mode }
}

const isOff = (text = '') => ['0', 'false', 'off', 'no'].includes(text.trim().toLowerCase())

/** Claude Code passes a plugin's settings to its hooks in these variables. */
const readOption = (env: Environment, name: string) => trimToValue(env[`CLAUDE_PLUGIN_OPTION_${name}`])

function readVariable(env: Environment, name: string): string | undefined {
  const path = trimToValue(env[`${name}_FILE`])
  if (path === undefined) return trimToValue(env[name])
  try {
    return trimToValue(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function trimToValue(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? undefined : trimmed
}
