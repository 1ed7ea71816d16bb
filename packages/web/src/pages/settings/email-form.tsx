import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction } from '../../api/queries.ts'
import { showGuessErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'

export function EmailForm({ email }: { email: string }) {
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) =>
        /^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : 'Enter an email address, such as ada@example.org',
      password: (value) => (value === '' ? 'Enter your password' : null),
    },
  })
  const change = useAction('change-email', {
    refreshes: ['session'],
    onDone({ user }) {
      form.reset()
      toast(`Email changed to ${user.email}`)
    },
  })
  return (
    <form
      aria-label="Change email"
      onSubmit={form.onSubmit((values) =>
        change.mutate(
          { ...values, email: values.email.trim() },
          { onError: (error) => showGuessErrors(form, 'password', error) },
        ),
      )}
    >
      <Stack maw={400}>
        <TextInput
          label="New email"
          description={`Currently ${email}.`}
          type="email"
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <PasswordInput label="Your password" autoComplete="current-password" {...form.getInputProps('password')} />
        <div>
          <Button type="submit" loading={change.isPending}>
            Change email
          </Button>
        </div>
      </Stack>
    </form>
  )
}
