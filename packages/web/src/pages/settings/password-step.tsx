import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { showGuessErrors } from '../../components/forms/field-errors.ts'

export interface PasswordAction {
  mutate(input: { password: string }, options: { onError: (error: Error) => void }): void
  isPending: boolean
}

interface Props {
  action: PasswordAction
  label: string
  color?: string
  onClose: () => void
  children: ReactNode
}

/** Asks for the password before a sensitive action. */
export function PasswordStep({ action, label, color, onClose, children }: Props) {
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? 'Enter your password' : null) },
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
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={action.isPending} {...(color !== undefined && { color })}>
            {label}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
