import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { DialogButtons } from '../feedback/dialog-buttons.tsx'
import { CodeField } from './credentials.tsx'
import { showGuessErrors } from './field-errors.ts'

export interface ProvenAction {
  mutate(proof: { password: string; code?: string }, options: { onError: (error: Error) => void }): void
  isPending: boolean
}

export interface IdentityProps {
  /** For fields outside of the form, which name it as theirs. */
  id?: string
  action: ProvenAction
  label: string
  color?: string
  onClose: () => void
  children: ReactNode
}

/** Asks for the password before a sensitive action, and for a code if `asksCode`. */
export function IdentityForm({ asksCode = false, ...props }: IdentityProps & { asksCode?: boolean }) {
  const { id, action, label, color, onClose, children } = props
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: (value) => (value === '' ? 'Enter your password' : null),
      code: (value) => (asksCode && value.trim() === '' ? 'Enter a code from your app, or a recovery code' : null),
    },
  })
  return (
    <form
      id={id}
      onSubmit={form.onSubmit(({ password, code }) =>
        action.mutate(asksCode ? { password, code } : { password }, {
          onError: (error) => showGuessErrors(form, 'password', error),
        }),
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
        {asksCode && <CodeField {...form.getInputProps('code')} />}
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={action.isPending} {...(color !== undefined && { color })}>
            {label}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
