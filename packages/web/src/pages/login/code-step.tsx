import { Alert, Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { CallError } from '../../api/call-error.ts'
import { CodeInput } from '../../components/forms/credentials.tsx'
import { SignedOutFrame } from '../../components/frame/signed-out-frame.tsx'
import { explainGuess } from '../../components/forms/field-errors.ts'

interface Props {
  login: { error: Error | null; isPending: boolean }
  onCode: (code: string) => void
  onBack: () => void
}

/** Asks for a code from the authenticator app, or a recovery code, after the password. */
export function CodeStep({ login: { error, isPending }, onCode, onBack }: Props) {
  const [isRecovery, setIsRecovery] = useState(false)
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? 'Enter the code' : null) },
  })
  const swap = () => {
    form.reset()
    setIsRecovery(!isRecovery)
  }
  return (
    <SignedOutFrame title="Second factor">
      <form onSubmit={form.onSubmit(({ code }) => onCode(code))}>
        <Stack>
          {error !== null && (
            <Alert color="red" variant="light" role="alert">
              {explain(error, isRecovery)}
            </Alert>
          )}
          {isRecovery ? (
            <TextInput
              key="recovery"
              label="Recovery code"
              description="One of the codes you saved when you set up the second factor. Each works once."
              placeholder="XXXX-XXXX-XXXX-XXXX-XXXX-XXXX-XXXX"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              autoFocus
              {...form.getInputProps('code')}
            />
          ) : (
            <CodeInput
              key="code"
              label="Code"
              description="The 6 digits in your authenticator app."
              autoFocus
              {...form.getInputProps('code')}
            />
          )}
          <Button type="submit" loading={isPending} fullWidth>
            Sign in
          </Button>
          <Group justify="space-between">
            <Anchor component="button" type="button" size="sm" onClick={swap}>
              {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
            </Anchor>
            <Anchor component="button" type="button" size="sm" onClick={onBack}>
              Back
            </Anchor>
          </Group>
        </Stack>
      </form>
    </SignedOutFrame>
  )
}

function explain(error: Error, isRecovery: boolean): string {
  if (!(error instanceof CallError) || !('totp' in error.fields)) return explainGuess(error)
  return isRecovery
    ? 'This code is wrong or was used before.'
    : 'This code is wrong or was used before. Codes change every 30 seconds. Wait for the next one.'
}
