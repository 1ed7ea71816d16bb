import { defaultUrl } from '@holdfast/client'
import { readFileSync } from 'node:fs'
import { findProjectFile, serverOf, type HookName, type ProjectFile } from '../project-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where a hook calls, and whether it may. */
export interface HookSettings {
  url: string
  key: string | undefined
  vault: string | undefined
  mode: string | undefined
}

/**
 * Undefined where this hook is switched off, by HOLDFAST_HOOKS or by the project. What a plugin was set up with comes before
 * the environment: the plugin's server of tools has the same. Throws a ProjectFileError.
 */
export function readHookSettings(name: HookName, env: Environment, folder: string): HookSettings | undefined {
  if (isOff(env['HOLDFAST_HOOKS'])) return undefined
  const project: ProjectFile | undefined = findProjectFile(folder)
  if (project?.hooksOff.has(name) === true) return undefined
  const url = optionOf(env, 'URL') ?? variableOf(env, 'HOLDFAST_URL') ?? serverOf(project) ?? defaultUrl
  const key = optionOf(env, 'API_KEY') ?? variableOf(env, 'HOLDFAST_KEY')
  return { url, key, vault: project?.vault, mode: project?.mode }
}

const isOff = (text = '') => ['0', 'false', 'off', 'no'].includes(text.trim().toLowerCase())

/** As Claude Code hands a plugin's settings to its hooks. */
const optionOf = (env: Environment, name: string) => given(env[`CLAUDE_PLUGIN_OPTION_${name}`])

function variableOf(env: Environment, name: string): string | undefined {
  const path = given(env[`${name}_FILE`])
  if (path === undefined) return given(env[name])
  try {
    return given(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? undefined : trimmed
}
