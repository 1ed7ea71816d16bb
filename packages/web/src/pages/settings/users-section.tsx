import type { User } from '@holdfast/client/dashboard'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAction, usePage } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { toast, toastError } from '../../shell/toasts.tsx'
import { describeUrl, useUrlState } from '../../shell/url-state.ts'
import { useSession } from '../../shell/session.ts'
import { IdentityStep } from './identity-step.tsx'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { useServerCommand } from '../../shell/server-command.ts'

const pageSize = 20
const url = describeUrl({ offset: 0 })
const refreshes = ['list-users'] as const

export function UsersSection() {
  const holdfast = useServerCommand()
  const session = useSession()
  return (
    <>
      <Section title="Users" lead="Everyone with an account on this server.">
        <Loaded query={session}>
          {({ user }) => (user.isOwner ? <UserList /> : <Text>Only the owner of this server can see this.</Text>)}
        </Loaded>
      </Section>
      {session.data?.user.isOwner === true && (
        <Section title="Add a user" lead="This command asks for the new user’s password." hasFrame={false}>
          <CodeBlock code={holdfast('users add --email name@example.org')} label="Run on the server" />
        </Section>
      )}
    </>
  )
}

function UserList() {
  const [{ offset }, setState] = useUrlState(url)
  const users = usePage('list-users', { limit: pageSize, offset })
  return (
    <Loaded query={users}>
      {(page) => (
        <>
          <ul className={styles.rows} aria-label="Users">
            {page.users.map((user) => (
              <UserRow key={user.userId} user={user} />
            ))}
          </ul>
          <Pager page={page} onOffset={(next) => setState({ offset: next })} />
        </>
      )}
    </Loaded>
  )
}

function UserRow({ user }: { user: User }) {
  const { userId, name, isOwner, disabledAt } = user
  // A damaged address is empty.
  const email = user.email === '' ? userId : user.email
  const [isDeleting, setIsDeleting] = useState(false)
  const update = useAction('update-user', {
    refreshes,
    onDone: (done) => toast(done.user.disabledAt === null ? `${email} enabled` : `${email} disabled`),
  })
  const setDisabled = (disabled: boolean) =>
    update.mutate({ userId, disabled }, { onError: (error) => toastError(error) })
  const askToDisable = () =>
    confirmStep({
      title: `Disable ${email}?`,
      body: 'Their sessions, tokens and agents lose access immediately. Nothing is deleted, and you can enable them again.',
      confirmLabel: 'Disable',
      onConfirm: () => setDisabled(true),
    })
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.name}>
          {name ?? email}
          {isOwner && <StateBadge tone="neutral">Owner</StateBadge>}
          {disabledAt !== null && <StateBadge tone="off">Disabled</StateBadge>}
        </div>
        {/* Without a name, the email address is above. */}
        {name !== null && (
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        )}
        {disabledAt !== null && (
          <Text size="sm" c="dimmed">
            Disabled <Moment at={disabledAt} />
          </Text>
        )}
      </div>
      {!isOwner && (
        <Group gap="xs" wrap="nowrap">
          <Button
            size="xs"
            variant="default"
            loading={update.isPending}
            aria-label={disabledAt === null ? `Disable ${email}` : `Enable ${email}`}
            onClick={disabledAt === null ? askToDisable : () => setDisabled(false)}
          >
            {disabledAt === null ? 'Disable' : 'Enable'}
          </Button>
          <Button size="xs" variant="default" aria-label={`Delete ${email}`} onClick={() => setIsDeleting(true)}>
            Delete
          </Button>
        </Group>
      )}
      {isDeleting && <DeleteUser user={user} onClose={() => setIsDeleting(false)} />}
    </li>
  )
}

function DeleteUser({ user: { userId, email }, onClose }: { user: User; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const remove = useAction('delete-user', {
    refreshes,
    onDone() {
      toast(`${email} deleted`)
      onClose()
    },
  })
  const action = {
    isPending: remove.isPending,
    mutate(proof: { password: string; code?: string }, options: { onError: (error: Error) => void }) {
      const isRight = typed.trim().toLowerCase() === email.toLowerCase()
      setError(isRight ? undefined : 'Type the email address exactly')
      if (isRight) remove.mutate({ userId, email: typed.trim(), ...proof }, options)
    },
  }
  return (
    <Modal opened onClose={onClose} title={`Delete ${email} permanently?`}>
      <Stack>
        <TextInput
          label={
            <>
              Type <b>{email}</b> to confirm
            </>
          }
          value={typed}
          error={error}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <IdentityStep action={action} label="Delete" color="red" onClose={onClose}>
          This deletes their vaults, agents, keys and everything they stored. You can’t undo this. Backups made before
          still contain it.
        </IdentityStep>
      </Stack>
    </Modal>
  )
}
