import type { Command } from 'commander'
import { z } from 'zod'
import { userList } from '../accounts/list-users.ts'
import { presets } from '../auth/presets.ts'
import { createdKey } from '../integrations/create-key.ts'
import { integrationRecord } from '../integrations/integration.ts'
import type { keyRecord } from '../integrations/key.ts'
import { keyList } from '../integrations/list-keys.ts'
import { vaultList } from '../vaults/browse-vaults.ts'
import { withCaller, type Caller } from './caller.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { print, table, targetOf, withCommonOptions, type CommonOptions } from './options.ts'

interface KeyOptions extends CommonOptions {
  email?: string
}

interface CreateOptions extends KeyOptions {
  label: string
  preset: string
  vault?: string
}

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('agent keys')
  addCreateCommand(keys)
  addListCommand(keys)
  addRevokeCommand(keys)
}

const whose = ['--email <address>', 'whose key (default: the owner of this instance)'] as const

function addCreateCommand(keys: Command): void {
  const command = keys
    .command('create')
    .description('let an agent in: make an integration and a key for it')
    .requiredOption('--label <text>', 'what the agent is called')
    .option('--preset <preset>', presets.join(', '), 'read_write')
    .option('--vault <name or id>', 'confine the key to this vault')
    .option(...whose)
  withCommonOptions(command).action(async (options: CreateOptions) => {
    const result = await withCaller(targetOf(options, { mayCreate: false }), (caller) => createAgent(caller, options))
    print(options, result, [
      `A key for ${options.label}. It is shown once; keep it safe:`,
      '',
      ...table([['Agent key', result.agentKey]]),
      '',
      'Give it to the agent as HOLDFAST_KEY.',
    ])
  })
}

async function createAgent({ call }: Caller, { email, label, preset, vault }: CreateOptions) {
  const actAs = await findUserId(call, email)
  const vaultId = vault === undefined ? undefined : await findVaultId(call, actAs, vault)
  const restriction = vaultId === undefined ? {} : { restrictToVault: true, vaults: [{ vaultId }] }
  const made = await call('create-integration', { label, preset, ...restriction }, { actAs })
  const { integration } = z.object({ integration: integrationRecord }).parse(made)
  const { key, agentKey } = createdKey.parse(
    await call('create-key', { integrationId: integration.id, label }, { actAs }),
  )
  const { id: integrationId, primaryVaultId } = integration
  return { integrationId, keyId: key.id, label, preset, vaultId: primaryVaultId, agentKey }
}

function addListCommand(keys: Command): void {
  const command = keys
    .command('list')
    .description('the keys, the newest first; never their secrets')
    .option(...whose)
  withCommonOptions(command).action(async (options: KeyOptions) => {
    const found = await withCaller(targetOf(options, { mayCreate: false }), async ({ call }) =>
      listAllKeys(call, await findUserId(call, options.email)),
    )
    print(options, { keys: found }, found.length === 0 ? ['No keys.'] : table(found.map(describeRow)))
  })
}

type Key = z.output<typeof keyRecord>

async function listAllKeys(call: Caller['call'], actAs: string | undefined): Promise<Key[]> {
  const all: Key[] = []
  for (;;) {
    const page = keyList.parse(await call('list-keys', { limit: 100, offset: all.length }, { actAs }))
    all.push(...page.keys)
    if (!page.hasMore) return all
  }
}

const describeRow = ({ id, last4, state, label, lastUsedAt }: Key): [string, string] => [
  id,
  [`…${last4}`, state, lastUsedAt === null ? 'never used' : `used ${lastUsedAt}`, label ?? ''].join('  ').trimEnd(),
]

function addRevokeCommand(keys: Command): void {
  const command = keys
    .command('revoke <id>')
    .description('refuse a key from now on')
    .option(...whose)
  withCommonOptions(command).action(async (id: string, options: KeyOptions) => {
    const result = await withCaller(targetOf(options, { mayCreate: false }), async ({ call }) =>
      call('revoke-key', { id }, { actAs: await findUserId(call, options.email) }),
    )
    print(options, result, ['The key is revoked; it is refused from now on.'])
  })
}

async function findUserId(call: Caller['call'], email: string | undefined): Promise<string | undefined> {
  if (email === undefined) return undefined
  const [user] = userList.parse(await call('list-users', { email })).users
  if (user !== undefined) return user.userId
  throw new CommandError(exitCodes.notFound, `There is no user ${email}.`, 'Add them with `holdfast users add`.')
}

async function findVaultId(call: Caller['call'], actAs: string | undefined, nameOrId: string): Promise<string> {
  const found: string[] = []
  for (let offset = 0, hasMore = true; hasMore; offset += 100) {
    const page = vaultList.parse(await call('browse-vaults', { limit: 100, offset }, { actAs }))
    for (const { vaultId, name } of page.vaults) if (name === nameOrId || vaultId === nameOrId) found.push(vaultId)
    hasMore = page.hasMore
  }
  const [vaultId, ...others] = found
  if (vaultId === undefined) throw new CommandError(exitCodes.notFound, `There is no vault ${nameOrId}.`)
  if (others.length === 0) return vaultId
  throw new CommandError(exitCodes.usage, `Several vaults are called ${nameOrId}.`, `Give an id: ${found.join(', ')}`)
}
