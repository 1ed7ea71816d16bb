import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { CallError, messageOf } from '../../api/call-error.ts'
import { useAction } from '../../api/queries.ts'
import { countOf } from '../../components/time-text.ts'
import { Door } from '../../components/door.tsx'
import { nextPath } from './next-path.ts'

export function LoginPage() {
  const { next }: { next?: unknown } = useSearch({ strict: false })
  const router = useRouter()
  const client = useQueryClient()
  const login = useAction('login', {
    onDone() {
      // Nothing that somebody else saw in this tab may be left.
      client.clear()
      router.history.push(nextPath(next))
    },
  })
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : 'Your e-mail address'),
      password: (value) => (value === '' ? 'Your password' : null),
    },
  })
  return (
    <Door title="Sign in">
      <form onSubmit={form.onSubmit((values) => login.mutate(values))}>
        <Stack>
          {login.error !== null && (
            <Alert color="red" variant="light" role="alert">
              {explainLogin(login.error)}
            </Alert>
          )}
          <TextInput label="E-mail" type="email" autoComplete="username" autoFocus {...form.getInputProps('email')} />
          <PasswordInput label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
          <Button type="submit" loading={login.isPending} fullWidth>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            Accounts are made on the server’s machine: <code>holdfast users add</code>
          </Text>
        </Stack>
      </form>
    </Door>
  )
}

function explainLogin(error: Error): string {
  if (!(error instanceof CallError) || error.status !== 429) return messageOf(error)
  const wait = error.retryAfterSeconds ?? 60
  return `There were too many attempts. Try again in ${wait < 90 ? countOf(wait, 'second') : countOf(Math.ceil(wait / 60), 'minute')}.`
}
