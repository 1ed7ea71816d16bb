import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { CallError, messageOf } from '../../api/call-error.ts'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queries.ts'
import { takeSetupToken } from './setup-token.ts'
import { StepBody } from './step-body.tsx'
import classes from './step-body.module.css'

interface Values {
  token: string
  email: string
  password: string
}

const tokenStart = 'hfs_'

/** Creates the owner with a vault. The connect step creates the first agent, and shows its key. */
async function createAccount({ token, email, password }: Values): Promise<void> {
  await call('set-up', { token: token.trim(), email, password, withAgent: false })
  await call('log-in', { email, password })
}

export function AccountStep() {
  const [linkToken, setLinkToken] = useState(takeSetupToken)
  const client = useQueryClient()
  const form = useForm<Values>({
    initialValues: { token: linkToken, email: '', password: '' },
    validate: {
      token: (token) => (token.trim().startsWith(tokenStart) ? null : `A setup token starts with ${tokenStart}`),
      email: (email) => (email.includes('@') ? null : 'Enter your email address'),
      password: (password) => (password.length < 8 ? 'Use at least 8 characters' : null),
    },
  })
  const onLink = useEffectEvent(() => {
    const token = takeSetupToken()
    setLinkToken(token)
    form.setFieldValue('token', token)
  })
  useEffect(() => {
    // The link may be opened in a tab that already shows this page.
    const listener = () => onLink()
    addEventListener('hashchange', listener)
    return () => removeEventListener('hashchange', listener)
  }, [])
  const [isRefused, setRefused] = useState(false)
  const isTokenAsked = isRefused || !linkToken.startsWith(tokenStart)
  const create = useMutation({
    mutationFn: createAccount,
    async onSuccess() {
      client.removeQueries({ queryKey: ['read-session'] })
      await client.fetchQuery({ queryKey: keyOf('read-session', {}), queryFn: () => call('read-session', {}) })
      await client.invalidateQueries({ queryKey: ['get-setup'] })
    },
    onError(error) {
      if (error instanceof CallError) form.setErrors(error.fields)
      if (isRefusal(error)) setRefused(true)
    },
  })
  // An error is shown once: next to its field, or above the form.
  const general = create.error === null || isOfField(create.error) ? null : create.error
  return (
    <form noValidate className={classes.form} onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <StepBody
        onBack={undefined}
        next={
          <Button type="submit" loading={create.isPending}>
            Create account
          </Button>
        }
      >
        {general !== null && (
          <Alert color="red" variant="light" role="alert">
            {explain(general)}
          </Alert>
        )}
        {isTokenAsked && (
          <TextInput
            label="Setup token"
            description="Printed in the terminal when the server started. Valid for 30 minutes."
            placeholder="hfs_…"
            autoComplete="off"
            spellCheck={false}
            autoFocus={!isRefused}
            {...form.getInputProps('token')}
          />
        )}
        <TextInput
          label="Email"
          description="Used to sign in. Holdfast never sends mail."
          type="email"
          autoComplete="username"
          autoFocus={!isTokenAsked}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          description="At least 8 characters. A short sentence is safer and easier to remember."
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
      </StepBody>
    </form>
  )
}

function explain(error: Error): string {
  return isRefusal(error)
    ? 'This setup token is wrong or has expired. Copy it from the link or the file that the server printed, or restart the server to get a new one.'
    : messageOf(error)
}

const isOfField = (error: Error) =>
  error instanceof CallError && ['email', 'password'].some((name) => name in error.fields)

const isRefusal = (error: Error) => error instanceof CallError && error.status === 401
