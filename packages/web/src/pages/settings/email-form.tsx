import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAction } from '../../api/queries.ts'
import { showGuessErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'

export function EmailForm({ email }: { email: string }) {
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (/^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : 'An e-mail address, such as ada@example.org'),
      password: (value) => (value === '' ? 'The password that you sign in with' : null),
    },
  })
  const change = useAction('change-email', {
    refreshes: ['session'],
    onDone({ user }) {
      form.reset()
      toast(`You sign in with ${user.email} from now on`)
    },
  })
  return (
    <form
      aria-label="Change e-mail"
      onSubmit={form.onSubmit((values) =>
        change.mutate(
          { ...values, email: values.email.trim() },
          { onError: (error) => showGuessErrors(form, 'password', error) },
        ),
      )}
    >
      <Stack maw={400}>
        <TextInput
          label="New e-mail"
          description={`In place of ${email}.`}
          type="email"
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <PasswordInput label="Your password" autoComplete="current-password" {...form.getInputProps('password')} />
        <div>
          <Button type="submit" loading={change.isPending}>
            Change e-mail
          </Button>
        </div>
      </Stack>
    </form>
  )
}
