import { defaultUrl } from '@holdfast/client'
import { readAgent } from '../config.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { findProjectFile, getServerUrl } from './project-file.ts'

/** What a command goes by that speaks for an agent. */
export interface AgentSettings {
  /** Without a slash at its end. */
  url: string
  key: string | undefined
  /** By name or id; the integration's own where there is none. */
  vault: string | undefined
}

/** Flags go before the environment, that before `.holdfast.json`. Throws a CommandError. */
export function readAgentSettings(flags: { url?: string; vault?: string }): AgentSettings {
  const { url, key } = readAgent()
  const project = findProjectFile(process.cwd())
  const address = flags.url ?? url ?? getServerUrl(project) ?? defaultUrl
  if (URL.parse(address)?.protocol.match(/^https?:$/) == null)
    throw new CommandError(exitCodes.usage, `${address} is not an http address.`)
  return { url: address.replace(/\/+$/, ''), key, vault: flags.vault ?? project?.vault }
}
