import type { ListVaultsOutput } from '@holdfast/client/dashboard'
import { Button, Group, Text } from '@mantine/core'
import { useAction } from '../../api/queries.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { describeRole, namePerson } from '../../shell/role.ts'
import classes from './people.module.css'

type Invitation = NonNullable<ListVaultsOutput['invitations']>[number]

/** Vaults that others offer to share. Nothing of them but their names is known here. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  if (invitations.length === 0) return null
  return (
    <ul className={classes.card} aria-label="Invitations">
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.id} invitation={invitation} />
      ))}
    </ul>
  )
}

function InvitationRow({ invitation: { id, vaultName, role, invitedBy } }: { invitation: Invitation }) {
  const decide = useAction('decide-invitation', {
    refreshes: ['list-vaults'],
    onDone: ({ accepted }) => toast(accepted ? `You can use ${vaultName} now` : 'Invitation declined'),
  })
  const answer = (accept: boolean) => decide.mutate({ id, accept }, { onError: (error) => toastError(error) })
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <Text fw={550}>{vaultName}</Text>
        <Text size="sm" c="dimmed">
          {namePerson(invitedBy)} invites you as {describeRole(role)}.
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          loading={decide.isPending}
          aria-label={`Accept ${vaultName}`}
          onClick={() => answer(true)}
        >
          Accept
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          disabled={decide.isPending}
          aria-label={`Decline ${vaultName}`}
          onClick={() => answer(false)}
        >
          Decline
        </Button>
      </Group>
    </li>
  )
}
