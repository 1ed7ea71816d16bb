import type { Vault, VaultInvitation, VaultMember } from '@holdfast/client/dashboard'
import { Button, Group, Modal, Select, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { refresh, useAction, useOperation } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonList } from '../../components/feedback/skeletons.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { useSession } from '../../shell/session.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { InviteForm } from './invite-form.tsx'
import { labelRole, mayManage, type MemberRole, memberRoles, namePerson } from '../../shell/role.ts'
import classes from './people.module.css'

const refreshes = ['list-vault-members', 'list-vaults'] as const

/** Shows the error and the list as it is now: someone else may have changed or removed the person meanwhile. */
function useOnError() {
  const client = useQueryClient()
  return (error: Error) => {
    toastError(error)
    void refresh(client, refreshes)
  }
}

export function MembersDialog({ vault, onClose }: { vault: Vault | undefined; onClose: () => void }) {
  if (vault === undefined) return null
  return (
    <Modal opened onClose={onClose} title={`Members of ${vault.name}`} size="lg">
      <Stack>
        {mayManage(vault) && <InviteForm vaultId={vault.id} />}
        <Members vault={vault} onLeft={onClose} />
      </Stack>
    </Modal>
  )
}

function Members({ vault, onLeft }: { vault: Vault; onLeft: () => void }) {
  const members = useOperation('list-vault-members', { vaultId: vault.id })
  const session = useSession()
  const ownId = session.data?.user.userId
  return (
    <Loaded query={members} skeleton={<SkeletonList rows={2} />}>
      {(list) => (
        <>
          {mayManage(vault) && <Title order={3}>People with access</Title>}
          <ul className={classes.rows} aria-label="Members">
            {list.members.map((member) => (
              <MemberRow
                key={member.userId}
                vault={vault}
                member={member}
                isSelf={member.userId === ownId}
                onLeft={onLeft}
              />
            ))}
          </ul>
          {list.invitations.length > 0 && (
            <ul className={classes.rows} aria-label="Open invitations">
              {list.invitations.map((invitation) => (
                <OpenInvitation key={invitation.id} vaultId={vault.id} invitation={invitation} />
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  )
}

interface RowProps {
  vault: Vault
  member: VaultMember
  isSelf: boolean
  onLeft: () => void
}

function MemberRow({ vault, member, isSelf, onLeft }: RowProps) {
  const name = namePerson(member)
  const canChange = mayManage(vault) && member.role !== 'owner' && !isSelf
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <Text fw={550}>
          {name}
          {isSelf && ' (you)'}
        </Text>
        {member.name !== null && (
          <Text size="sm" c="dimmed">
            {member.email}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {canChange ? <RoleChoice vaultId={vault.id} member={member} /> : <Text>{labelRole(member.role)}</Text>}
        {(canChange || (isSelf && member.role !== 'owner')) && (
          <RemoveButton vault={vault} member={member} isSelf={isSelf} onLeft={onLeft} />
        )}
      </Group>
    </li>
  )
}

function RoleChoice({ vaultId, member: { userId, email, role, name } }: { vaultId: string; member: VaultMember }) {
  const onError = useOnError()
  const change = useAction('share-vault', {
    refreshes,
    onDone: (done) => toast(`${name ?? email} is ${labelRole(done.role).toLowerCase()} now`),
  })
  return (
    <Select
      aria-label={`Role of ${name ?? email}`}
      size="xs"
      w={110}
      data={memberRoles.map(({ value, label }) => ({ value, label }))}
      value={role}
      allowDeselect={false}
      disabled={change.isPending}
      onChange={(next) =>
        next !== null && next !== role && change.mutate({ vaultId, userId, role: next as MemberRole }, { onError })
      }
    />
  )
}

function RemoveButton({ vault, member, isSelf, onLeft }: RowProps) {
  const name = namePerson(member)
  const onError = useOnError()
  const remove = useAction('delete-vault-member', {
    refreshes,
    onDone() {
      toast(isSelf ? `You left ${vault.name}` : `${name} removed`)
      if (isSelf) onLeft()
    },
  })
  const ask = () =>
    confirmStep({
      title: isSelf ? `Leave ${vault.name}?` : `Remove ${name}?`,
      body: isSelf
        ? 'You lose access immediately. Someone has to invite you again if you want to come back.'
        : 'They lose access immediately. What they wrote stays.',
      confirmLabel: isSelf ? 'Leave vault' : 'Remove member',
      onConfirm: () => remove.mutate({ vaultId: vault.id, userId: member.userId }, { onError }),
    })
  return (
    <Button
      size="xs"
      variant="default"
      loading={remove.isPending}
      aria-label={isSelf ? `Leave ${vault.name}` : `Remove ${name}`}
      onClick={ask}
    >
      {isSelf ? 'Leave' : 'Remove'}
    </Button>
  )
}

function OpenInvitation({ vaultId, invitation }: { vaultId: string; invitation: VaultInvitation }) {
  const { id, email, role } = invitation
  const onError = useOnError()
  const withdraw = useAction('delete-vault-member', { refreshes, onDone: () => toast('Invitation withdrawn') })
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <Text>{email}</Text>
      </div>
      <Group gap="xs">
        <StateBadge tone="waiting">Invited</StateBadge>
        <Text>{labelRole(role)}</Text>
        <Button
          size="xs"
          variant="default"
          loading={withdraw.isPending}
          aria-label={`Withdraw the invitation of ${email}`}
          onClick={() => withdraw.mutate({ vaultId, invitationId: id }, { onError })}
        >
          Withdraw
        </Button>
      </Group>
    </li>
  )
}
