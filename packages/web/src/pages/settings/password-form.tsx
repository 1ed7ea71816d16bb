import { Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction } from '../../api/queries.ts'
import { showGuessErrors } from '../../components/forms/field-errors.ts'
import { countOf } from '../../components/text/time-text.ts'
import { toast } from '../../shell/toasts.tsx'

export function PasswordForm({ email }: { email: string }) {
  const form = useForm({
    initialValues: { password: '', newPassword: '' },
    validate: {
      password: (value) => (value === '' ? 'Enter your current password' : null),
      newPassword: (value) => (value.length < 8 ? 'Use at least 8 characters' : null),
    },
  })
  const change = useAction('change-password', {
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
      onSubmit={form.onSubmit((values) =>
        change.mutate(values, { onError: (error) => showGuessErrors(form, 'password', error) }),
      )}
    >
      <Stack maw={400}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput label="Current password" autoComplete="current-password" {...form.getInputProps('password')} />
        <PasswordInput
          label="New password"
          description="At least 8 characters. A short sentence is easier to remember and safer."
          autoComplete="new-password"
          {...form.getInputProps('newPassword')}
        />
        <div>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </div>
      </Stack>
    </form>
  )
}
