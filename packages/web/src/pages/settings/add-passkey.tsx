import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '../../api/call-error.ts'
import { call, type OutputOf } from '../../api/call.ts'
import { createPasskey } from '../../api/passkeys.ts'
import { refresh, useAction, useOperation } from '../../api/queries.ts'
import { explainGuess } from '../../components/forms/field-errors.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { toast } from '../../shell/toasts.tsx'
import { BothFactorsForm } from './both-factors-form.tsx'
import { PasswordStep } from './password-step.tsx'

const lead = 'First what you sign in with now, so that nobody who finds this page open can do it.'

/** Password, and code where there is one; then a name, and what the browser asks. */
export function AddPasskey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add a passkey" closeOnClickOutside={false}>
      <Steps onClose={onClose} />
    </Modal>
  )
}

function Steps({ onClose }: { onClose: () => void }) {
  const factor = useOperation('read-totp', {})
  const begin = useAction('begin-passkey')
  if (begin.data !== undefined) return <CreateStep options={begin.data.options} onClose={onClose} />
  return (
    <Loaded query={factor}>
      {({ totp }) =>
        totp === null ? (
          <PasswordStep action={begin} label="Continue" onClose={onClose}>
            {lead}
          </PasswordStep>
        ) : (
          <BothFactorsForm action={begin} label="Continue" onClose={onClose}>
            {lead}
          </BothFactorsForm>
        )
      }
    </Loaded>
  )
}

interface CreateProps {
  options: OutputOf<'begin-passkey'>['options']
  onClose: () => void
}

/** A step of its own, since browsers make passkeys only right after somebody has pressed something. */
function CreateStep({ options, onClose }: CreateProps) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const create = useMutation({
    async mutationFn() {
      const made = await createPasskey(options)
      const given = name.trim()
      return call('add-passkey', { ...made, ...(given !== '' && { name: given }) })
    },
    onSuccess({ passkey }) {
      void refresh(client, ['list-passkeys'])
      toast(`${passkey.name} is added`)
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
        <Text>Your browser asks next where to keep the passkey, and for your fingerprint, face or PIN.</Text>
        {create.error !== null && (
          <Alert color="red" variant="light" role="alert">
            {explain(create.error)}
          </Alert>
        )}
        <TextInput
          label="Name"
          description="To tell it from others, such as “Laptop”. Empty: your browser and system."
          maxLength={100}
          autoComplete="off"
          // The dialog is open already, and looks for its own mark no more.
          autoFocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Make the passkey
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The fields that the server names are none that somebody has typed. */
const explain = (error: Error): string =>
  error instanceof CallError && error.status === 400
    ? 'The server did not take it: it took too long, or was added before. Close this and begin anew.'
    : explainGuess(error)
