import type { Command } from 'commander'
import { revokeKey } from '../integrations/revoke-key.ts'
import { withCaller } from './caller.ts'
import { createAgent, type NewAgent } from './create-agent.ts'
import { findUserId } from './find-by-name.ts'
import { listKeys, type ListedKey } from './list-keys.ts'
import {
  presetOption,
  print,
  printable,
  table,
  targetOf,
  withCommonOptions,
  withExamples,
  type CommonOptions,
} from './options.ts'

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

const whose = ['--email <address>', 'whose key (default: the owner of this instance)'] as const

function addCreateCommand(keys: Command): void {
  const command = keys
    .command('create')
    .description('let an agent in: make an integration and a key for it')
    .requiredOption('--label <text>', 'what the agent is called')
    .addOption(presetOption('what the key may do').default('read_write'))
    .option('--agent-id <name>', 'what the agent is known by where a call does not say\n(default: the label)')
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
  withExamples(command, 'keys create --label "Claude Code" --vault app')
}

function addListCommand(keys: Command): void {
  const command = keys
    .command('list')
    .description('the keys and what they may do, the newest first')
    .option(...whose)
  withCommonOptions(command).action(async (options: KeyOptions) => {
    const found = await withCaller(targetOf(options, { mayCreate: false }), async ({ call }) =>
      listKeys(call, await findUserId(call, options.email)),
    )
    print(options, { keys: found }, found.length === 0 ? ['No keys.'] : table(found.map(describeRow)))
  })
  withExamples(command, 'keys list --json')
}

const describeRow = (key: ListedKey): [string, string] => {
  const { id, last4, state, label, lastUsedAt } = key
  const used = lastUsedAt === null ? 'never used' : `used ${lastUsedAt}`
  return [id, [`…${last4}`, state, used, describeRights(key), printable(label ?? '')].join('  ').trimEnd()]
}

function describeRights({ preset, vaults }: ListedKey): string {
  if (vaults === null) return preset
  const places = vaults.map(({ name, preset: own }) => printable(name) + (own === null ? '' : ` (${own})`))
  return `${preset} in ${places.join(', ')} alone`
}

function addRevokeCommand(keys: Command): void {
  const command = keys
    .command('revoke <id>')
    .description('refuse a key from now on')
    .option(...whose)
  withCommonOptions(command).action(async (id: string, options: KeyOptions) => {
    const result = await withCaller(targetOf(options, { mayCreate: false }), async ({ call }) =>
      call(revokeKey, { id }, { actAs: await findUserId(call, options.email) }),
    )
    print(options, result, ['The key is revoked; it is refused from now on.'])
  })
  withExamples(command, 'keys revoke 0198c5f0-0000-7000-8000-000000000012')
}
