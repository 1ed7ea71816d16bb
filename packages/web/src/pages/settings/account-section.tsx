import { Alert, Button, Group, Stack, TextInput, PasswordInput } from '@mantine/core'
import { LogOut, TriangleAlert } from 'lucide-react'
import { CopyButton } from '../../components/text/code-block.tsx'
import { FactList } from '../../components/frame/fact-list.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { useSession } from '../../shell/session.ts'
import { useShell } from '../../shell/shell-context.ts'
import { Section } from './section.tsx'
import { useForm } from '@mantine/form'
import { useAction, useOperation } from '../../api/queries.ts'
import { CodeField } from '../../components/forms/credentials.tsx'
import { showErrors, showGuessErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'
import { countOf } from '../../components/text/time-text.ts'

export function AccountSection() {
  const session = useSession()
  const { leave } = useShell()
  return (
    <Loaded query={session}>
      {({ user }) => (
        <>
          <Section
            title="Account"
            actions={
              <Button size="xs" variant="default" leftSection={<LogOut size={14} aria-hidden />} onClick={leave}>
                Sign out
              </Button>
            }
          >
            <Stack>
              {user.isDamaged && (
                <Alert color="red" icon={<TriangleAlert size={16} aria-hidden />}>
                  Your stored email address and name are damaged. Signing in still works. Set your email address again
                  below, then your name.
                </Alert>
              )}
              <FactList
                facts={[
                  ['Email', user.email],
                  ['Role', user.isOwner ? 'Owner of this server' : 'User'],
                  [
                    'User id',
                    <Group key="id" gap={4} wrap="nowrap">
                      <code>{user.userId}</code>
                      <CopyButton text={user.userId} what="User id" />
                    </Group>,
                  ],
                ]}
              />
              <NameForm name={user.name} />
            </Stack>
          </Section>
          <Section
            title="Email"
            lead="You sign in with it. Holdfast never sends mail. Changing it doesn’t affect sessions, tokens or agent keys."
          >
            <EmailForm />
          </Section>
          <Section
            title="Password"
            lead="Changing it signs you out everywhere else. Agent keys and dashboard tokens keep working."
          >
            <PasswordForm email={user.email} />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** Whether the account has a second factor, whose code changes of email and password ask for. */
const useHasFactor = () => (useOperation('read-totp', {}).data?.totp ?? null) !== null

const noCode = 'Enter a code from your app, or a recovery code'

const refuseMissingCode = (hasFactor: boolean) => (value: string) => (hasFactor && value.trim() === '' ? noCode : null)

function NameForm({ name }: { name: string | null }) {
  const form = useForm({ initialValues: { name: name ?? '' } })
  const save = useAction('update-user', {
    refreshes: ['read-session'],
    onDone({ user }) {
      form.setInitialValues({ name: user.name ?? '' })
      form.reset()
      toast(user.name === null ? 'Name removed' : `Name changed to ${user.name}`)
    },
  })
  return (
    <form
      aria-label="Change name"
      onSubmit={form.onSubmit((values) =>
        save.mutate({ name: values.name.trim() || null }, { onError: (error) => showErrors(form, error) }),
      )}
    >
      <Stack maw={400}>
        <TextInput
          label="Name"
          description="Shown in the dashboard. If empty, your email is shown."
          autoComplete="name"
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <div>
          <Button type="submit" variant="default" loading={save.isPending} disabled={!form.isDirty()}>
            Save name
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function EmailForm() {
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
      toast(`Email changed to ${user.email}`)
    },
  })
  return (
    <form
      aria-label="Change email"
      noValidate
      onSubmit={form.onSubmit(({ email: typed, password, code }) =>
        change.mutate(
          { email: typed.trim(), password, ...(hasFactor && { code }) },
          { onError: (error) => showGuessErrors(form, 'password', error) },
        ),
      )}
    >
      <Stack maw={400}>
        <TextInput label="New email" type="email" autoComplete="off" {...form.getInputProps('email')} />
        <PasswordInput label="Your password" autoComplete="current-password" {...form.getInputProps('password')} />
        {hasFactor && <CodeField {...form.getInputProps('code')} />}
        <div>
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            Change email
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function PasswordForm({ email }: { email: string }) {
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
      const ended = endedSessions === 0 ? '' : `, ${countOf(endedSessions, 'other session')} ended`
      toast(`Password changed${ended}`)
    },
  })
  return (
    <form
      aria-label="Change password"
      onSubmit={form.onSubmit(({ code, ...passwords }) =>
        change.mutate(
          { ...passwords, ...(hasFactor && { code }) },
          { onError: (error) => showGuessErrors(form, 'password', error) },
        ),
      )}
    >
      <Stack maw={400}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput label="Current password" autoComplete="current-password" {...form.getInputProps('password')} />
        {hasFactor && <CodeField {...form.getInputProps('code')} />}
        <PasswordInput
          label="New password"
          description="At least 8 characters. A short sentence is easier to remember and safer."
          autoComplete="new-password"
          {...form.getInputProps('newPassword')}
        />
        <div>
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            Change password
          </Button>
        </div>
      </Stack>
    </form>
  )
}
