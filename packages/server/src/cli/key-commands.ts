import type { Command } from 'commander'
import { z } from 'zod'
import { createIntegration } from '../integrations/create-integration.ts'
import { createdKey, createKey } from '../integrations/create-key.ts'
import { deleteIntegration } from '../integrations/delete-integration.ts'
import { integrationRecord } from '../integrations/integration.ts'
import type { keyRecord } from '../integrations/key.ts'
import { integrationList, listIntegrations } from '../integrations/list-integrations.ts'
import { keyList, listKeys } from '../integrations/list-keys.ts'
import { revokeKey } from '../integrations/revoke-key.ts'
import type { Operation } from '../operation/operation.ts'
import { listVaults, vaultList } from '../vaults/list-vaults.ts'
import { type Caller, withCaller } from './caller.ts'
import { readAnswer } from './exit-codes.ts'
import { findUserId, findVaultId } from './find-by-name.ts'
import {
  type CommonOptions,
  presetOption,
  print,
  printable,
  table,
  targetOf,
  withCommonOptions,
  withExamples,
} from './options.ts'

interface NewAgent {
  label: string
  preset: string
  /** The agent id of calls that don't send one; by default the label. */
  agentId?: string
  /** Name or id of the only vault that the agent may use. */
  vault?: string
  /** The agent's user; by default the owner. */
  email?: string
}

const made = z.object({ integration: integrationRecord })

/** Creates an integration and its key, or neither: an integration without a key is useless, and a retry would add another. */
export async function createAgent({ call }: Caller, { email, label, preset, agentId, vault }: NewAgent) {
  const actAs = await findUserId(call, email)
  const vaultId = vault === undefined ? undefined : await findVaultId(call, actAs, vault)
  const restriction = vaultId === undefined ? {} : { restrictToVault: true, vaults: [{ vaultId }] }
  const answer = await call(createIntegration, { label, preset, agentId, ...restriction }, { actAs })
  const { id: integrationId, primaryVaultId } = readAnswer(made, answer).integration
  const created = await call(createKey, { integrationId, label }, { actAs }).catch(async (error: unknown) => {
    // If this fails as well, report the first failure.
    await call(deleteIntegration, { id: integrationId }, { actAs }).catch(() => {})
    throw error
  })
  const { key, agentKey } = readAnswer(createdKey, created)
  return { integrationId, keyId: key.id, label, preset, vaultId: primaryVaultId, agentKey }
}

/** A key with the rights of its integration. */
export type ListedKey = z.output<typeof keyRecord> & {
  /** The name of its agent. */
  agent: string
  preset: string
  /** The only vaults it may use, each with its own preset or null; null means all vaults. */
  vaults: { vaultId: string; name: string; preset: string | null }[] | null
}

export async function listAllKeys(call: Caller['call'], actAs: string | undefined): Promise<ListedKey[]> {
  const page = (operation: Operation, offset: number) => call(operation, { limit: 100, offset }, { actAs })
  const keys = await listAll(async (offset) => {
    const { keys: rows, hasMore } = readAnswer(keyList, await page(listKeys, offset))
    return { rows, hasMore }
  })
  const integrations = await listAll(async (offset) => {
    const { integrations: rows, hasMore } = readAnswer(integrationList, await page(listIntegrations, offset))
    return { rows, hasMore }
  })
  const vaults = await listAll(async (offset) => {
    const { vaults: rows, hasMore } = readAnswer(vaultList, await page(listVaults, offset))
    return { rows, hasMore }
  })
  const names = new Map(vaults.map(({ vaultId, name }) => [vaultId, name]))
  const byId = new Map(integrations.map((integration) => [integration.id, integration]))
  return keys.flatMap((key) => {
    const integration = byId.get(key.integrationId)
    // Deleted between the two calls, and its keys with it.
    if (integration === undefined) return []
    const { label: agent, preset, restrictToVault } = integration
    const own = integration.vaults.map((grant) => ({ ...grant, name: names.get(grant.vaultId) ?? grant.vaultId }))
    return { ...key, agent, preset, vaults: restrictToVault ? own : null }
  })
}

export async function listAll<T>(readPage: (offset: number) => Promise<{ rows: T[]; hasMore: boolean }>): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const { rows, hasMore } = await readPage(all.length)
    all.push(...rows)
    if (!hasMore) return all
  }
}

interface KeyOptions extends CommonOptions {
  email?: string
}

type CreateOptions = CommonOptions & NewAgent

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('agent keys')
  addCreateCommand(keys)
  addListCommand(keys)
  addRevokeCommand(keys)
}

const whose = ['--email <address>', 'user of the key (default: the owner of this instance)'] as const

function addCreateCommand(keys: Command): void {
  const command = keys
    .command('create')
    .description('create an integration and a key for an agent')
    .requiredOption('--label <text>', 'name of the agent')
    .addOption(presetOption('what the key may do').default('read_write'))
    .option(
      '--agent-id <name>',
      'agent id of its calls, which can then give no other\n(default: the label, and calls can give others)',
    )
    .option('--vault <name or id>', 'let the key use only this vault')
    .option(...whose)
  withCommonOptions(command).action(async (options: CreateOptions) => {
    const result = await withCaller(targetOf(options, { mayCreate: false }), (caller) => createAgent(caller, options))
    print(options, result, [
      `Key for ${options.label}. It is shown only once; keep it safe:`,
      '',
      ...table([['Agent key', result.agentKey]]),
      '',
      'Give it to the agent as HOLDFAST_KEY.',
    ])
  })
  withExamples(command, 'keys create --label "Claude Code" --vault app')
}

function addListCommand(keys: Command): void {
  const command = keys
    .command('list')
    .description('list keys and their permissions, newest first')
    .option(...whose)
  withCommonOptions(command).action(async (options: KeyOptions) => {
    const found = await withCaller(targetOf(options, { mayCreate: false }), async ({ call }) =>
      listAllKeys(call, await findUserId(call, options.email)),
    )
    print(options, { keys: found }, found.length === 0 ? ['No keys.'] : table(found.map(describeRow)))
  })
  withExamples(command, 'keys list --json')
}

/** Only `label` may be missing: keys that people create in the dashboard have none. */
export const describeRow = (key: ListedKey): [string, string] => {
  const { id, last4, state, lastUsedAt } = key
  const used = lastUsedAt === null ? 'never used' : `used ${lastUsedAt}`
  return [id, [`…${last4}`, state, used, describeRights(key), printable(describeName(key))].join('  ')]
}

/** Its agent, and its own name if that says more. */
const describeName = ({ agent, label }: ListedKey): string =>
  label === null || label === agent ? agent || '(damaged name)' : `${agent} (${label})`

function describeRights({ preset, vaults }: ListedKey): string {
  if (vaults === null) return preset
  const places = vaults.map(({ name, preset: own }) => printable(name) + (own === null ? '' : ` (${own})`))
  return `${preset} in ${places.join(', ')} only`
}

function addRevokeCommand(keys: Command): void {
  const command = keys
    .command('revoke <id>')
    .description('revoke a key')
    .option(...whose)
  withCommonOptions(command).action(async (id: string, options: KeyOptions) => {
    const result = await withCaller(targetOf(options, { mayCreate: false }), async ({ call }) =>
      call(revokeKey, { id }, { actAs: await findUserId(call, options.email) }),
    )
    print(options, result, ['Key revoked. Calls with it are refused from now on.'])
  })
  withExamples(command, 'keys revoke 0198c5f0-0000-7000-8000-000000000012')
}
