import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
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
const tokenStart = 'hfs_'

/** Makes the owner, with a vault and a first agent whose key nobody is shown: connecting gives it another. */
async function makeAccount({ token, email, password }: Values): Promise<void> {
  await call('setup', { token: token.trim(), email, password, label: firstAgent, preset: 'read_write' })
  await call('login', { email, password })
}

export function AccountStep() {
  const [linkToken, setLinkToken] = useState(takeSetupToken)
  const client = useQueryClient()
  const form = useForm<Values>({
    initialValues: { token: linkToken, email: '', password: '' },
    validate: {
      token: (token) => (token.trim().startsWith(tokenStart) ? null : `It begins with ${tokenStart}`),
      email: (email) => (email.includes('@') ? null : 'Your e-mail address'),
      password: (password) => (password.length < 8 ? 'At least 8 characters' : null),
    },
  })
  const onLink = useEffectEvent(() => {
    const token = takeSetupToken()
    setLinkToken(token)
    form.setFieldValue('token', token)
  })
  useEffect(() => {
    // The link may be opened where this page is open already.
    const listener = () => onLink()
    addEventListener('hashchange', listener)
    return () => removeEventListener('hashchange', listener)
  }, [])
  const [isRefused, setRefused] = useState(false)
  const isTokenAsked = isRefused || !linkToken.startsWith(tokenStart)
  const make = useMutation({
    mutationFn: makeAccount,
    async onSuccess() {
      client.removeQueries({ queryKey: ['session'] })
      await client.fetchQuery({ queryKey: keyOf('session', {}), queryFn: () => call('session', {}) })
      await client.invalidateQueries({ queryKey: ['get-setup'] })
    },
    onError(error) {
      if (error instanceof CallError) form.setErrors(error.fields)
      if (isRefusal(error)) setRefused(true)
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
        {isTokenAsked && (
          <TextInput
            label="Set-up token"
            description="From the link, or the file, that the server names where it was started. It is good for 30 minutes."
            placeholder="hfs_…"
            autoComplete="off"
            spellCheck={false}
            autoFocus={!isRefused}
            {...form.getInputProps('token')}
          />
        )}
        <TextInput
          label="E-mail"
          description="You sign in with it. Nothing is ever sent to it."
          type="email"
          autoComplete="username"
          autoFocus={!isTokenAsked}
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
          The server also printed a command that does the same.
        </Text>
      </Stack>
    </form>
  )
}

function explain(error: Error): string {
  return isRefusal(error)
    ? 'This set-up token is not right, or older than 30 minutes. Take it from the link or the file that the server names, or start the server again for a new one.'
    : messageOf(error)
}

const isRefusal = (error: Error) => error instanceof CallError && error.status === 401
