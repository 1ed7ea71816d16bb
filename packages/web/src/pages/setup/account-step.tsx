import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, messageOf } from '../../api/call-error.ts'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queries.ts'
import { takeSetupToken } from './setup-token.ts'

interface Values {
  token: string
  email: string
  password: string
}

const firstAgent = 'First agent'

/** Makes the owner, with a vault and a first agent whose key nobody is shown: connecting gives it another. */
async function makeAccount({ token, email, password }: Values): Promise<void> {
  await call('setup', { token: token.trim(), email, password, label: firstAgent, preset: 'read_write' })
  await call('login', { email, password })
}

export function AccountStep() {
  const [linkToken] = useState(takeSetupToken)
  const client = useQueryClient()
  const form = useForm<Values>({
    initialValues: { token: linkToken, email: '', password: '' },
    validate: {
      token: (token) => (token.trim().startsWith('hfs_') ? null : 'It begins with hfs_'),
      email: (email) => (email.includes('@') ? null : 'Your e-mail address'),
      password: (password) => (password.length < 8 ? 'At least 8 characters' : null),
    },
  })
  const make = useMutation({
    mutationFn: makeAccount,
    async onSuccess() {
      client.removeQueries({ queryKey: ['session'] })
      await client.fetchQuery({ queryKey: keyOf('session', {}), queryFn: () => call('session', {}) })
      await client.invalidateQueries({ queryKey: ['get-setup'] })
    },
    onError(error) {
      if (error instanceof CallError) form.setErrors(error.fields)
    },
  })
  return (
    <form onSubmit={form.onSubmit((values) => make.mutate(values))}>
      <Stack>
        {make.error !== null && (
          <Alert color="red" variant="light" role="alert">
            {explain(make.error)}
          </Alert>
        )}
        {linkToken === '' && (
          <TextInput
            label="Set-up token"
            description="From the link, or the file, that the server names where it was started. It is good for 30 minutes."
            placeholder="hfs_…"
            autoComplete="off"
            spellCheck={false}
            autoFocus
            {...form.getInputProps('token')}
          />
        )}
        <TextInput
          label="E-mail"
          description="You sign in with it. Nothing is ever sent to it."
          type="email"
          autoComplete="username"
          autoFocus={linkToken !== ''}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          description="At least 8 characters, better 15: a short sentence is easy to keep in mind."
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={make.isPending} fullWidth>
          Make account
        </Button>
        <Text size="sm" c="dimmed">
          On the command line: <code>npm run -s holdfast -- setup --email you@example.org</code>
        </Text>
      </Stack>
    </form>
  )
}

function explain(error: Error): string {
  if (error instanceof CallError && error.status === 401)
    return 'This set-up token is not right, or older than 30 minutes. Start the server again for a new one.'
  return messageOf(error)
}
