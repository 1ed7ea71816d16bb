import type { Command } from 'commander'
import type { z } from 'zod'
import type { keyRecord } from '../integrations/key.ts'
import { keyList } from '../integrations/list-keys.ts'
import { withCaller, type Caller } from './caller.ts'
import { createAgent, type NewAgent } from './create-agent.ts'
import { findUserId } from './find-by-name.ts'
import { presetOption, print, printable, table, targetOf, withCommonOptions, type CommonOptions } from './options.ts'

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
  [`…${last4}`, state, lastUsedAt === null ? 'never used' : `used ${lastUsedAt}`, printable(label ?? '')]
    .join('  ')
    .trimEnd(),
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
