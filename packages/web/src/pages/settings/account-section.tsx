import type { OutputOf } from '../../api/call.ts'
import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { LogOut, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useAction, useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { CodeField } from '../../components/forms/credentials.tsx'
import { showErrors, showGuessErrors } from '../../components/forms/field-errors.ts'
import { RecordId } from '../../components/records/record-id.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { useSession } from '../../shell/session.ts'
import { useShell } from '../../shell/shell-context.ts'
import { toast } from '../../shell/toasts.tsx'
import { ChangeRow, type RowState } from './change-row.tsx'
import { Section } from './section.tsx'
import styles from './settings-page.module.css'

export function AccountSection() {
  const session = useSession()
  const { leave } = useShell()
  return (
    <>
      <Section title="Account">
        <Loaded query={session}>{({ user }) => <Account user={user} />}</Loaded>
      </Section>
      <div>
        <Button variant="default" leftSection={<LogOut size={16} aria-hidden />} onClick={leave}>
          Sign out
        </Button>
      </div>
    </>
  )
}

type Account = OutputOf<'read-session'>['user']

type Changeable = 'name' | 'email' | 'password'

/** What a person can change about the account, one at a time. */
function Account({ user }: { user: Account }) {
  const [opened, setOpened] = useState<Changeable>()
  const stateOf = (row: Changeable): RowState => ({
    isOpen: opened === row,
    onOpen: () => setOpened(row),
    // Another row may be open by the time this one is saved.
    onClose: () => setOpened((current) => (current === row ? undefined : current)),
  })
  return (
    <Stack>
      {user.isDamaged && (
        <Alert color="red" icon={<TriangleAlert size={16} aria-hidden />}>
          Your stored email address and name are damaged. Signing in still works. Set your email address again below,
          then your name.
        </Alert>
      )}
      <ul className={styles.rows} aria-label="Account">
        <NameRow name={user.name} {...stateOf('name')} />
        <EmailRow email={user.email} {...stateOf('email')} />
        <PasswordRow email={user.email} {...stateOf('password')} />
        <li className={`${styles.row} ${styles.value}`}>
          <span>Role</span>
          <span>{user.isOwner ? 'Owner of this server' : 'User'}</span>
        </li>
        <li className={`${styles.row} ${styles.value}`}>
          <span>User id</span>
          <RecordId id={user.userId} />
        </li>
      </ul>
    </Stack>
  )
}

/** Whether the account has a second factor, whose code changes of email and password ask for. */
const useHasFactor = () => (useOperation('read-totp', {}).data?.totp ?? null) !== null

const noCode = 'Enter a code from your app, or a recovery code'

const refuseMissingCode = (hasFactor: boolean) => (value: string) => (hasFactor && value.trim() === '' ? noCode : null)

function NameRow({ name, ...row }: RowState & { name: string | null }) {
  const form = useForm({ initialValues: { name: name ?? '' } })
  const save = useAction('update-user', {
    refreshes: ['read-session'],
    onDone({ user }) {
      form.setInitialValues({ name: user.name ?? '' })
      form.reset()
      row.onClose()
      toast(user.name === null ? 'Name removed' : `Name changed to ${user.name}`)
    },
  })
  const submit = (values: { name: string }) =>
    save.mutate(
      { name: values.name.trim() || null },
      {
        onError(error) {
          row.onOpen()
          showErrors(form, error)
        },
      },
    )
  return (
    <ChangeRow
      {...row}
      name="Name"
      value={
        name ?? (
          <Text span c="dimmed">
            Not set
          </Text>
        )
      }
      onSubmit={form.onSubmit(submit)}
      onReset={form.reset}
      isSaving={save.isPending}
      isUnchanged={!form.isDirty()}
    >
      <TextInput
        label="Name"
        description="Shown in the dashboard. If empty, your email is shown."
        autoComplete="name"
        maxLength={100}
        autoFocus
        {...form.getInputProps('name')}
      />
    </ChangeRow>
  )
}

function EmailRow({ email, ...row }: RowState & { email: string }) {
  const hasFactor = useHasFactor()
  const form = useForm({
    initialValues: { email: '', password: '', code: '' },
    validate: {
      email: (value) =>
        /^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : 'Enter an email address, such as ada@example.org',
      password: (value) => (value === '' ? 'Enter your password' : null),
      code: refuseMissingCode(hasFactor),
    },
  })
  const change = useAction('update-sign-in', {
    refreshes: ['read-session'],
    onDone({ user }) {
      form.reset()
      row.onClose()
      toast(`Email changed to ${user.email}`)
    },
  })
  const submit = ({ email: typed, password, code }: typeof form.values) =>
    change.mutate(
      { email: typed.trim(), password, ...(hasFactor && { code }) },
      {
        onError(error) {
          row.onOpen()
          showGuessErrors(form, 'password', error)
        },
      },
    )
  return (
    <ChangeRow
      {...row}
      name="Email"
      value={email}
      onSubmit={form.onSubmit(submit)}
      onReset={form.reset}
      isSaving={change.isPending}
    >
      <Text size="sm" c="dimmed">
        You sign in with it. Holdfast never sends mail. Changing it doesn’t affect sessions, tokens or agent keys.
      </Text>
      <TextInput label="New email" type="email" autoComplete="off" autoFocus {...form.getInputProps('email')} />
      <PasswordInput label="Your password" autoComplete="current-password" {...form.getInputProps('password')} />
      {hasFactor && <CodeField {...form.getInputProps('code')} />}
    </ChangeRow>
  )
}

function PasswordRow({ email, ...row }: RowState & { email: string }) {
  const hasFactor = useHasFactor()
  const form = useForm({
    initialValues: { password: '', code: '', newPassword: '' },
    validate: {
      password: (value) => (value === '' ? 'Enter your current password' : null),
      code: refuseMissingCode(hasFactor),
      newPassword: (value) => (value.length < 8 ? 'Use at least 8 characters' : null),
    },
  })
  const change = useAction('update-sign-in', {
    refreshes: ['list-sessions'],
    onDone({ endedSessions }) {
      form.reset()
      row.onClose()
      const ended = endedSessions === 0 ? '' : `, ${countOf(endedSessions, 'other session')} ended`
      toast(`Password changed${ended}`)
    },
  })
  const submit = ({ code, ...passwords }: typeof form.values) =>
    change.mutate(
      { ...passwords, ...(hasFactor && { code }) },
      {
        onError(error) {
          row.onOpen()
          showGuessErrors(form, 'password', error)
        },
      },
    )
  return (
    <ChangeRow
      {...row}
      name="Password"
      value={<span aria-hidden>••••••••</span>}
      onSubmit={form.onSubmit(submit)}
      onReset={form.reset}
      isSaving={change.isPending}
    >
      <Text size="sm" c="dimmed">
        Changing it signs you out everywhere else. Agent keys and dashboard tokens keep working.
      </Text>
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        autoFocus
        {...form.getInputProps('password')}
      />
      {hasFactor && <CodeField {...form.getInputProps('code')} />}
      <PasswordInput
        label="New password"
        description="At least 8 characters. A short sentence is easier to remember and safer."
        autoComplete="new-password"
        {...form.getInputProps('newPassword')}
      />
    </ChangeRow>
  )
}
