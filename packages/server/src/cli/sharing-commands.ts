import { Option, type Command } from 'commander'
import type { z } from 'zod'
import { memberRoles } from '../auth/vault-roles.ts'
import { deleteVaultMember } from '../vaults/delete-vault-member.ts'
import { listVaultMembers, memberList } from '../vaults/list-vault-members.ts'
import { shareRecord, shareVault } from '../vaults/share-vault.ts'
import { withCaller, type Caller } from './caller.ts'
import { CommandError, exitCodes, readAnswer } from './exit-codes.ts'
import { findUserId, findVaultId } from './find-by-name.ts'
import { print, printable, table, targetOf, withCommonOptions, withExamples, type CommonOptions } from './options.ts'

/** Who may use a vault besides its owner. */

interface SharingOptions extends CommonOptions {
  email?: string
}

const whose = ['--email <address>', 'the owner of the vault or an admin (default: the owner of this instance)'] as const

export function addSharingCommands(vaults: Command): void {
  addMembersCommand(vaults)
  addShareCommand(vaults)
  addRemoveCommand(vaults)
  addLeaveCommand(vaults)
}

/** A vault, named by its name or id, and who works in it. */
interface Place {
  call: Caller['call']
  actAs: string | undefined
  vaultId: string
}

const inVault = <T>(options: SharingOptions, vault: string, work: (place: Place) => Promise<T>): Promise<T> =>
  withCaller(targetOf(options, { mayCreate: false }), async ({ call }) => {
    const actAs = await findUserId(call, options.email)
    return work({ call, actAs, vaultId: await findVaultId(call, actAs, vault) })
  })

type Members = z.output<typeof memberList>

const readMembers = async ({ call, actAs, vaultId }: Place): Promise<Members> =>
  readAnswer(memberList, await call(listVaultMembers, { vaultId }, { actAs }))

function addMembersCommand(vaults: Command): void {
  const command = vaults
    .command('members <vault>')
    .description('list who can use a vault, by its name or id, and the open invitations')
    .option(...whose)
  withCommonOptions(command).action(async (vault: string, options: SharingOptions) => {
    const found = await inVault(options, vault, readMembers)
    print(options, found, [
      ...table(found.members.map(({ email, role }): [string, string] => [nameOf(email), role])),
      ...table(found.invitations.map(({ email, role }): [string, string] => [nameOf(email), `invited as ${role}`])),
    ])
  })
  withExamples(command, 'vaults members app')
}

const nameOf = (email: string) => (email === '' ? 'unknown address' : printable(email))

interface ShareOptions extends SharingOptions {
  with: string
  role: string
}

function addShareCommand(vaults: Command): void {
  const command = vaults
    .command('share <vault>')
    .description('invite a person to a vault, or change the role of a member')
    .requiredOption('--with <address>', 'email address of the person')
    .addOption(new Option('--role <role>', 'what the person may do').choices(memberRoles).default('viewer'))
    .option(...whose)
  withCommonOptions(command).action(async (vault: string, options: ShareOptions) => {
    const { with: email, role } = options
    const shared = await inVault(options, vault, async ({ call, actAs, vaultId }) =>
      readAnswer(shareRecord, await call(shareVault, { vaultId, email, role }, { actAs })),
    )
    print(options, shared, [
      shared.invited
        ? `Invited ${email} as ${role}. They can accept on the Vaults page of the dashboard if they have an account. To accept for them, run \`vaults accept\`.`
        : `${email} is ${role} now.`,
    ])
  })
  withExamples(command, 'vaults share app --with grace@example.org --role editor')
}

interface RemoveOptions extends SharingOptions {
  member: string
}

function addRemoveCommand(vaults: Command): void {
  const command = vaults
    .command('remove <vault>')
    .description('remove a member from a vault, or withdraw an invitation')
    .requiredOption('--member <address>', 'email address of the person, or the id of the member or invitation')
    .option(...whose)
  withCommonOptions(command).action(async (vault: string, options: RemoveOptions) => {
    const { member } = options
    const removed = await inVault(options, vault, async (place) => {
      const who = findPerson(await readMembers(place), member)
      const { call, actAs, vaultId } = place
      return { answer: await call(deleteVaultMember, { vaultId, ...who }, { actAs }), ...who }
    })
    print(options, removed.answer, [
      removed.invitationId === undefined
        ? `Removed ${member}. What they wrote stays.`
        : `Withdrew the invitation of ${member}.`,
    ])
  })
  withExamples(command, 'vaults remove app --member grace@example.org')
}

/** The member with this address or id, or else the invitation. An address that can't be read is empty, which leaves the id. */
function findPerson({ members, invitations }: Members, name: string): { userId?: string; invitationId?: string } {
  const isMeant = (id: string, email: string) =>
    id === name || (email !== '' && email.toLowerCase() === name.toLowerCase())
  const member = members.find(({ userId, email }) => isMeant(userId, email))
  if (member !== undefined) return { userId: member.userId }
  const invitation = invitations.find(({ id, email }) => isMeant(id, email))
  if (invitation !== undefined) return { invitationId: invitation.id }
  throw new CommandError(exitCodes.notFound, `No member and no invitation ${name}.`)
}

function addLeaveCommand(vaults: Command): void {
  const command = vaults
    .command('leave <vault>')
    .description('leave a vault that someone else shares')
    .requiredOption('--email <address>', 'the member who leaves')
  withCommonOptions(command).action(async (vault: string, options: SharingOptions) => {
    const left = await inVault(options, vault, ({ call, actAs, vaultId }) =>
      call(deleteVaultMember, { vaultId, userId: actAs }, { actAs }),
    )
    print(options, left, [`${options.email} left the vault.`])
  })
  withExamples(command, 'vaults leave app --email grace@example.org')
}
