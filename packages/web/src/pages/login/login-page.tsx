import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { CallError } from '../../api/call-error.ts'
import { restartLive } from '../../api/live.ts'
import { useAction } from '../../api/queries.ts'
import { CodeBlock } from '../../components/text/code-block.tsx'
import { SignedOutFrame } from '../../components/frame/signed-out-frame.tsx'
import { explainGuess } from '../../components/forms/field-errors.ts'
import { forget, isOtherUser, notifyTabs, welcome } from '../../shell/session.ts'
import { CodeStep } from './code-step.tsx'
import { nextPath } from './next-path.ts'
import { PasskeyEntry } from './passkey-entry.tsx'
import { holdfast } from '../../command-line.ts'

export function LoginPage() {
  const { next }: { next?: unknown } = useSearch({ strict: false })
  const router = useRouter()
  const client = useQueryClient()
  const [needsCode, setNeedsCode] = useState(false)
  const openAs = ({ user: { userId } }: { user: { userId: string } }) => {
    // Don't open the page that another user was on.
    const path = isOtherUser(userId) ? '/' : nextPath(next)
    forget(client)
    welcome(client, userId)
    notifyTabs(userId)
    restartLive()
    router.history.push(path)
  }
  const login = useAction('log-in', { onDone: openAs })
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (value.includes('@') ? null : 'Enter your email address'),
      password: (value) => (value === '' ? 'Enter your password' : null),
    },
  })
  const signIn = (values: { email: string; password: string }) =>
    login.mutate(values, {
      onError(error) {
        if (!asksForCode(error)) return
        login.reset()
        setNeedsCode(true)
      },
    })
  if (needsCode)
    return (
      <CodeStep
        login={login}
        onCode={(totp) => login.mutate({ ...form.getValues(), totp })}
        onBack={() => {
          login.reset()
          form.setFieldValue('password', '')
          setNeedsCode(false)
        }}
      />
    )
  return (
    <SignedOutFrame title="Sign in">
      <form noValidate onSubmit={form.onSubmit(signIn)}>
        <Stack>
          {login.error !== null && !asksForCode(login.error) && (
            <Alert color="red" variant="light" role="alert">
              {explainGuess(login.error)}
            </Alert>
          )}
          <TextInput label="Email" type="email" autoComplete="username" autoFocus {...form.getInputProps('email')} />
          <PasswordInput label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
          <Button type="submit" loading={login.isPending} fullWidth>
            Sign in
          </Button>
          <PasskeyEntry onSignedIn={openAs} />
          <CodeBlock
            code={holdfast('users --help')}
            label="To create an account or reset a password, run on the server"
          />
        </Stack>
      </form>
    </SignedOutFrame>
  )
}

/** The password is correct, and the account has a second factor. */
const asksForCode = (error: Error) => error instanceof CallError && error.status === 400 && 'totp' in error.fields
