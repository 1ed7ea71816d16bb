import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { DialogButtons } from '../feedback/dialog-buttons.tsx'
import { CodeField } from './credentials.tsx'
import { showGuessErrors } from './field-errors.ts'

interface Values {
  password: string
  code: string
}

interface Props {
  action: { mutate(input: Values, options: { onError: (error: Error) => void }): void; isPending: boolean }
  label: string
  color?: string
  onClose: () => void
  children: ReactNode
}

/** Asks for the password and a code before a sensitive action. */
export function BothFactorsForm({ action, label, color, onClose, children }: Props) {
  const form = useForm<Values>({
    initialValues: { password: '', code: '' },
    validate: {
      password: (value) => (value === '' ? 'Enter your password' : null),
      code: (value) => (value.trim() === '' ? 'Enter a code from your app, or a recovery code' : null),
    },
  })
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        action.mutate(values, { onError: (error) => showGuessErrors(form, 'password', error) }),
      )}
    >
      <Stack>
        <Text>{children}</Text>
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        <CodeField {...form.getInputProps('code')} />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={action.isPending} {...(color !== undefined && { color })}>
            {label}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
