import { Alert, Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { CallError } from '../../api/call-error.ts'
import { CodeInput } from '../../components/forms/credentials.tsx'
import { Door } from '../../components/frame/door.tsx'
import { explainGuess } from '../../components/forms/field-errors.ts'

interface Props {
  login: { error: Error | null; isPending: boolean }
  onCode: (code: string) => void
  onBack: () => void
}

/** After the password: what the authenticator app shows, or one of the recovery codes. */
export function CodeStep({ login: { error, isPending }, onCode, onBack }: Props) {
  const [isRecovery, setIsRecovery] = useState(false)
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? 'The code' : null) },
  })
  const swap = () => {
    form.reset()
    setIsRecovery(!isRecovery)
  }
  return (
    <Door title="Second step">
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
              description="One of those that you kept when you set up the second factor. It works once."
              placeholder="XXXX-XXXX-XXXX-XXXX-XXXX-XXXX"
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
              description="The six digits that your authenticator app shows."
              autoFocus
              {...form.getInputProps('code')}
            />
          )}
          <Button type="submit" loading={isPending} fullWidth>
            Sign in
          </Button>
          <Group justify="space-between">
            <Anchor component="button" type="button" size="sm" onClick={swap}>
              {isRecovery ? 'Use the app' : 'Use a recovery code'}
            </Anchor>
            <Anchor component="button" type="button" size="sm" onClick={onBack}>
              Back
            </Anchor>
          </Group>
        </Stack>
      </form>
    </Door>
  )
}

function explain(error: Error, isRecovery: boolean): string {
  if (!(error instanceof CallError) || !('totp' in error.fields)) return explainGuess(error)
  return isRecovery
    ? 'This code is not right, or was used before.'
    : 'This code is not right, or was used before. Codes change every 30 seconds: wait for the next one.'
}
