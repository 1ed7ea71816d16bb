import type { Command } from 'commander'
import { decideInvitation } from '../vaults/decide-invitation.ts'
import { listVaults, vaultList, type ReceivedInvitation } from '../vaults/list-vaults.ts'
import { withCaller } from './caller.ts'
import { CommandError, exitCodes, readAnswer } from './exit-codes.ts'
import { findUserId } from './find-by-name.ts'
import { print, printable, targetOf, withCommonOptions, withExamples, type CommonOptions } from './options.ts'

interface InvitationOptions extends CommonOptions {
  email?: string
}

export function addInvitationCommands(vaults: Command): void {
  addDecision(vaults, 'accept', 'accept an invitation to a vault', (name, role) => `You are ${role} of ${name} now.`)
  addDecision(vaults, 'decline', 'decline an invitation to a vault', (name) => `Declined the invitation to ${name}.`)
}

function addDecision(
  vaults: Command,
  decision: 'accept' | 'decline',
  description: string,
  report: (name: string, role: string) => string,
): void {
  const command = vaults
    .command(`${decision} <vault>`)
    .description(`${description}, by its name or id`)
    .option('--email <address>', 'the invited person (default: the owner of this instance)')
  withCommonOptions(command).action(async (vault: string, options: InvitationOptions) => {
    const { invitation, answer } = await withCaller(targetOf(options, { mayCreate: false }), async ({ call }) => {
      const actAs = await findUserId(call, options.email)
      const { invitations } = readAnswer(vaultList, await call(listVaults, { limit: 1 }, { actAs }))
      const found = findInvitation(invitations ?? [], vault)
      const decided = await call(decideInvitation, { id: found.id, accept: decision === 'accept' }, { actAs })
      return { invitation: found, answer: decided }
    })
    print(options, answer, [printable(report(invitation.vaultName, invitation.role))])
  })
  withExamples(command, `vaults ${decision} app --email grace@example.org`)
}

/** People may be invited to several vaults of one name. */
function findInvitation(invitations: readonly ReceivedInvitation[], nameOrId: string): ReceivedInvitation {
  const found = invitations.filter(({ vaultId, vaultName }) => vaultId === nameOrId || vaultName === nameOrId)
  const [invitation, ...others] = found
  if (invitation === undefined)
    throw new CommandError(
      exitCodes.notFound,
      `No invitation to the vault ${nameOrId}.`,
      'Run `vaults list` to see open ones.',
    )
  if (others.length === 0) return invitation
  const ids = found.map(({ vaultId }) => vaultId).join(', ')
  throw new CommandError(
    exitCodes.usage,
    `Invitations to several vaults with the name ${nameOrId}.`,
    `Use an id: ${ids}`,
  )
}
