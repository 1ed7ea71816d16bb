import type { Command } from 'commander'
import type { z } from 'zod'
import { createVault } from '../vaults/create-vault.ts'
import { listVaults, vaultList, type ReceivedInvitation } from '../vaults/list-vaults.ts'
import { vaultRecord } from '../vaults/vault.ts'
import { withCaller } from './caller.ts'
import { CommandError, exitCodes, readAnswer } from './exit-codes.ts'
import { findUserId } from './find-by-name.ts'
import { print, printable, table, targetOf, withCommonOptions, withExamples, type CommonOptions } from './options.ts'
import { addInvitationCommands } from './invitation-commands.ts'
import { addSharingCommands } from './sharing-commands.ts'

interface VaultOptions extends CommonOptions {
  email?: string
  description?: string
}

const whose = ['--email <address>', 'user of the vaults (default: the owner of this instance)'] as const

export function addVaultCommands(program: Command): void {
  const vaults = program.command('vaults').description('separate spaces for memories, each with its own key')
  addCreateCommand(vaults)
  addListCommand(vaults)
  addSharingCommands(vaults)
  addInvitationCommands(vaults)
}

function addCreateCommand(vaults: Command): void {
  const command = vaults
    .command('create <name>')
    .description('create a vault')
    .option('--description <text>', 'purpose of the vault')
    .option(...whose)
  withCommonOptions(command).action(async (name: string, options: VaultOptions) => {
    const { email, description } = options
    const vault = await withCaller(targetOf(options, { mayCreate: false }), async ({ call }) => {
      const actAs = await findUserId(call, email)
      const known = await readAll((offset) => call(listVaults, { limit: 100, offset }, { actAs }))
      // Two vaults of one name could not be told apart by name.
      if (known.vaults.some((other) => other.name === name))
        throw new CommandError(exitCodes.refused, `A vault ${name} already exists.`)
      return readAnswer(vaultRecord, await call(createVault, { name, description }, { actAs }))
    })
    print(options, { vault }, [printable(`Created the vault ${vault.name}: ${vault.vaultId}`)])
  })
  withExamples(command, 'vaults create app')
}

function addListCommand(vaults: Command): void {
  const command = vaults
    .command('list')
    .description('list vaults and their contents, the default vault first, then invitations to vaults of others')
    .option(...whose)
  withCommonOptions(command).action(async (options: VaultOptions) => {
    const found = await withCaller(targetOf(options, { mayCreate: false }), async ({ call }) => {
      const actAs = await findUserId(call, options.email)
      return readAll((offset) => call(listVaults, { limit: 100, offset }, { actAs }))
    })
    print(options, found, [
      ...table(found.vaults.map(describeRow)),
      ...table(found.invitations.map(describeInvitation)),
    ])
  })
  withExamples(command, 'vaults list')
}

type Vault = z.output<typeof vaultRecord>

interface Found {
  vaults: Vault[]
  invitations: ReceivedInvitation[]
}

async function readAll(readPage: (offset: number) => Promise<unknown>): Promise<Found> {
  const all: Vault[] = []
  for (;;) {
    const { vaults, invitations = [], hasMore } = readAnswer(vaultList, await readPage(all.length))
    all.push(...vaults)
    if (!hasMore) return { vaults: all, invitations }
  }
}

const describeRow = (vault: Vault): [string, string] => {
  const { vaultId, name, isDefault, memoryCount, noteCount } = vault
  const counts = `memories: ${memoryCount}  notes: ${noteCount}`
  return [vaultId, printable(`${name}${isDefault ? ' (default)' : ''}  ${counts}${describeSharing(vault)}`)]
}

function describeSharing({ owner, role, memberCount = 0 }: Vault): string {
  if (owner !== undefined) return `  shared by ${owner.email} as ${role}`
  return memberCount === 0 ? '' : `  shared with ${memberCount}`
}

const describeInvitation = ({ vaultId, vaultName, role, invitedBy }: ReceivedInvitation): [string, string] => [
  vaultId,
  printable(`${vaultName}  invited as ${role} by ${invitedBy.email === '' ? 'unknown address' : invitedBy.email}`),
]
