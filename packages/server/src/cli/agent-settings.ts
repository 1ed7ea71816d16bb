import { findProjectFile, ProjectFileError, type ProjectFile } from '@holdfast/hosts/project-file'
import { readAgent } from '../config.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

/** What a command goes by that speaks for an agent. */
export interface AgentSettings {
  /** Without a slash at its end. */
  url: string
  key: string | undefined
  /** By name or id; the integration's own where there is none. */
  vault: string | undefined
}

export const defaultUrl = 'http://127.0.0.1:8420'

/** Flags go before the environment, that before `.holdfast.json`. Throws a CommandError. */
export function readAgentSettings(flags: { url?: string; vault?: string }): AgentSettings {
  const { url, key } = readAgent()
  const project = findProject()
  const address = flags.url ?? url ?? project?.url ?? defaultUrl
  if (URL.parse(address)?.protocol.match(/^https?:$/) == null)
    throw new CommandError(exitCodes.usage, `${address} is not an http address.`)
  return { url: address.replace(/\/+$/, ''), key, vault: flags.vault ?? project?.vault }
}

function findProject(): ProjectFile | undefined {
  try {
    return findProjectFile(process.cwd())
  } catch (error) {
    if (!(error instanceof ProjectFileError)) throw error
    throw new CommandError(exitCodes.failure, error.message, 'Write it anew, such as {"vault":"app"}.')
  }
}
