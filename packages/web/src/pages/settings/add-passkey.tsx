import { Alert, Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { CallError } from '../../api/call-error.ts'
import { call, type OutputOf } from '../../api/call.ts'
import { createPasskey } from '../../api/passkeys.ts'
import { refresh, useAction } from '../../api/queries.ts'
import { explainGuess } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'
import { IdentityStep } from './identity-step.tsx'

/** Asks for the password, and a code if the account has a second factor. Then names and creates the passkey. */
export function AddPasskey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add a passkey" closeOnClickOutside={false}>
      <Steps onClose={onClose} />
    </Modal>
  )
}

function Steps({ onClose }: { onClose: () => void }) {
  const begin = useAction('begin-passkey')
  if (begin.data !== undefined) return <CreateStep options={begin.data.options} onClose={onClose} />
  return (
    <IdentityStep action={begin} label="Continue" onClose={onClose}>
      Confirm that it’s you before you add a passkey.
    </IdentityStep>
  )
}

interface CreateProps {
  options: OutputOf<'begin-passkey'>['options']
  onClose: () => void
}

/** A separate step, since browsers create passkeys only right after a click or key press. */
function CreateStep({ options, onClose }: CreateProps) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const create = useMutation({
    async mutationFn() {
      const created = await createPasskey(options)
      const given = name.trim()
      return call('create-passkey', { ...created, ...(given !== '' && { name: given }) })
    },
    onSuccess({ passkey }) {
      void refresh(client, ['list-passkeys'])
      toast(`Passkey ${passkey.name} added`)
      onClose()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Stack>
        <Text>Next, your browser asks where to save the passkey, and for your fingerprint, face or PIN.</Text>
        {create.error !== null && (
          <Alert color="red" variant="light" role="alert">
            {explain(create.error)}
          </Alert>
        )}
        <TextInput
          label="Name"
          description="For example, “Laptop”. If empty, your browser and system are used."
          maxLength={100}
          autoComplete="off"
          // The dialog is already open, so `data-autofocus` has no effect.
          autoFocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={create.isPending}>
            Create passkey
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

/** A 400 names fields that the person didn't fill in, so it gets its own text. */
const explain = (error: Error): string =>
  error instanceof CallError && error.status === 400
    ? 'The passkey wasn’t accepted. It took too long, or this passkey is already registered. Close this and try again.'
    : explainGuess(error)
