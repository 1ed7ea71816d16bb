import type { z } from 'zod'
import { callsCheck, checkSystem, systemChecks, rerankerCheck } from '../../machine/check-system.ts'
import { recordsCheck } from '../../machine/check-records.ts'
import { readStatus, statusRecord } from '../../machine/read-status.ts'
import { ConfigError, readConfig, type Config } from '../../config.ts'
import { failed, type Finding, ok } from '../../core/finding.ts'
import { commandLineHere, dataDirOption } from '../../core/program.ts'
import { StoreError } from '../../db/store-error.ts'
import { MigrationsDueError } from '../../db/migrate.ts'
import { checkBackups } from '../../backups/check-backups.ts'
import { checkEmbeddings } from '../../embeddings/check-provider.ts'
import type { AgentSettings } from '../agent-client.ts'
import { listVaults, vaultList } from '../../vaults/list-vaults.ts'
import { withServer, type Caller } from '../caller.ts'
import { CommandError, exitCodes, readAnswer } from '../exit-codes.ts'
import { listAllKeys, type ListedKey } from '../key-commands.ts'
import { checkAgent } from './check-agent.ts'
import { checkAddresses, checkClock, checkFolder, checkNode } from './check-machine.ts'
import { checkMcp, checkReach, checkSameInstance, checkStatus } from './check-server.ts'
import { checkRoundTrip, withThrowAwayVault } from './round-trip.ts'

export interface Examined {
  config: Config | undefined
  settings: Finding[]
}

/** Reads the settings. Each problem is one finding. */
export function examineSettings(dataDir: string | undefined): Examined {
  try {
    const config = readConfig(undefined, dataDir === undefined ? {} : { HOLDFAST_DATA_DIR: dataDir })
    return { config, settings: [ok('settings', 'all valid')] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const fix = 'Correct or unset it. All settings: docs/configuration.md.'
    return { config: undefined, settings: error.message.split('\n').map((text) => failed('settings', text, fix)) }
  }
}

/**
 * Runs the checks from the inside out: the disk, the store and its key, the server, its addresses, and an agent's settings.
 * Checks that need something broken are skipped.
 */
export async function examine(config: Config, agent: AgentSettings, hasUrl: boolean): Promise<Finding[]> {
  const now = Date.now()
  const machine = [checkNode(), checkClock(now), ...checkFolder(config), checkAddresses(config)]
  const outside = hasUrl ? await checkReach('server', agent.url, 'Start the server, or correct HOLDFAST_URL.') : []
  const isHere = machine.every((finding) => finding.check !== 'data folder' || isNoFailure(finding))
  const instance = dataDirOption(config.dataDir)
  if (!isHere) return [...machine, ...outside, ...(hasUrl ? await checkAgent(agent, [], { now, instance }) : [])]
  try {
    const inside = await withServer(config, (caller, url, isServing) =>
      examineServer({
        config,
        agent,
        hasUrl,
        isReached: hasUrl && outside.every(isNoFailure),
        caller,
        url,
        isServing,
        now,
      }),
    )
    return [...machine, ...outside, ...inside]
  } catch (error) {
    const found = findingOf(error, instance)
    if (found === undefined) throw error
    return [...machine, ...outside, found]
  }
}

const isNoFailure = ({ status }: Finding) => status !== 'failed'

function findingOf(error: unknown, instance: string): Finding | undefined {
  if (error instanceof MigrationsDueError)
    return failed(
      'schema',
      `${error.message} Nothing was changed, and checks that need the store were skipped.`,
      `Start the server. It backs up an embedded store first, then migrates it: ${commandLineHere} serve${instance}`,
    )
  if (error instanceof StoreError) {
    const [text = '', ...fix] = error.message.split('\n')
    return failed('store', text, fix.length === 0 ? 'See the message above.' : fix.join(' '))
  }
  if (error instanceof CommandError) return failed('server', error.message, error.next ?? fixOf(error))
  return undefined
}

const fixOf = ({ exitCode }: CommandError) =>
  exitCode === exitCodes.unavailable
    ? 'Wait for the command that is using the store, or stop it.'
    : 'The log of the server names what failed. If data is damaged, restore a backup, or delete it.'

interface Server {
  config: Config
  agent: AgentSettings
  hasUrl: boolean
  /** Whether the agent's URL answers. */
  isReached: boolean
  caller: Caller
  url: string
  /** Whether a server was already running. Otherwise this process serves only itself. */
  isServing: boolean
  now: number
}

async function examineServer(server: Server): Promise<Finding[]> {
  const { config, agent, hasUrl, isReached, caller, url, isServing, now } = server
  const instance = dataDirOption(config.dataDir)
  const askStatus = async () => readAnswer(statusRecord, await caller.call(readStatus, {}))
  const status = await askStatus()
  const found = [
    isServing
      ? ok('server', `runs on ${url}`)
      : ok('server', `not running; start it with \`${commandLineHere} serve${instance}\``),
    ...checkStatus(status),
    ...examineBackups(status, { now, instance }),
  ]
  if (!status.isSetUp) return found
  const damaged = [...(await examineVaults(caller)), ...(await examineSystem(caller, isServing))]
  const keys: ListedKey[] = await listAllKeys(caller.call, undefined)
  const tried = await withThrowAwayVault(caller, async (key) => [
    ...(isReached ? [await checkSameInstance(agent.url, key, config)] : []),
    ...(isServing && config.publicUrl !== undefined ? await examinePublic(config.publicUrl, key, config) : []),
    await checkMcp(url, key),
    await checkRoundTrip(url, key),
  ])
  // Without a server, check the key against this process.
  const asked = hasUrl ? agent : { ...agent, url }
  return [
    ...found,
    ...damaged,
    ...(await checkAgent(asked, keys, { now, instance })),
    checkEmbeddings(await askStatus()),
    ...tried,
  ]
}

/** Opens everything stored, to find what is damaged. Only a running server knows what agents sent. */
async function examineSystem({ call }: Caller, isServing: boolean): Promise<Finding[]> {
  const wanted = isServing ? [recordsCheck, callsCheck, rerankerCheck] : [recordsCheck]
  const { checks } = readAnswer(systemChecks, await call(checkSystem, { records: true }))
  return (checks ?? [])
    .filter(({ check }) => wanted.includes(check))
    .map(({ fix, ...finding }) => ({ ...finding, ...(fix !== null && { fix }) }))
}

/** The damaged vaults of the owner. */
async function examineVaults({ call }: Caller): Promise<Finding[]> {
  const { vaults } = readAnswer(vaultList, await call(listVaults, { limit: 100 }))
  return vaults.flatMap(({ vaultId, isDamaged }) =>
    isDamaged === true
      ? failed(
          'vaults',
          `Vault ${vaultId} can't be opened: its keys or its name are damaged.`,
          'Restore a backup, or delete the vault in the dashboard, with its id as its name.',
        )
      : [],
  )
}

function examineBackups(
  { backups, records }: z.output<typeof statusRecord>,
  when: { now: number; instance: string },
): Finding[] {
  if (backups === null) return []
  const { latestAt, failure, drill } = backups
  const health = {
    ...backups,
    latestAt: latestAt === null ? undefined : Date.parse(latestAt),
    failure: failure ?? undefined,
    drill: drill === null ? undefined : { at: Date.parse(drill.at), problem: drill.problem ?? undefined },
  }
  return [checkBackups(health, { records, ...when })]
}

async function examinePublic(publicUrl: string, key: string, config: Config): Promise<Finding[]> {
  const reach = await checkReach('public address', publicUrl, 'Correct HOLDFAST_PUBLIC_URL, or start the proxy.')
  if (!reach.every(isNoFailure)) return reach
  return [await checkSameInstance(publicUrl, key, config)]
}
