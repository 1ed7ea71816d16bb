import type { Vault } from '@holdfast/client/dashboard'
import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction } from '../../api/queries.ts'
import { showErrors } from '../../components/forms/field-errors.ts'
import { toast } from '../../shell/toasts.tsx'
import { chooseVault } from '../../shell/vault.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
  /** The vault to edit; undefined creates one. */
  vault: Vault | undefined
}

export function VaultForm({ isOpen, onClose, vault }: Props) {
  return (
    <FormDialog opened={isOpen} onClose={onClose} title={vault === undefined ? 'New vault' : 'Edit vault'}>
      {(close) => <Fields vault={vault} onClose={close} />}
    </FormDialog>
  )
}

function Fields({ vault: newest, onClose }: Omit<Props, 'isOpen'>) {
  // The vault as it was when the form opened, so a change by someone else leads to a conflict instead of being overwritten.
  const [vault] = useState(newest)
  const form = useForm({
    initialValues: { name: vault?.name ?? '', description: vault?.description ?? '' },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name' : null) },
  })
  const refreshes = ['list-vaults'] as const
  const create = useAction('create-vault', {
    refreshes,
    onDone(created) {
      chooseVault(created.id)
      toast(`Vault ${created.name} created and selected`)
      onClose()
    },
  })
  const update = useAction('update-vault', {
    refreshes,
    waitsForRefresh: true,
    onDone() {
      toast('Saved')
      onClose()
    },
  })
  const submit = ({ name, description }: { name: string; description: string }) => {
    const onError = (error: Error) => showErrors(form, error)
    const text = description.trim()
    if (vault === undefined) create.mutate({ name, description: text === '' ? undefined : text }, { onError })
    else {
      // An older vault may have a name that none can get any more.
      const changed = { name: name === vault.name ? undefined : name, description: text === '' ? null : text }
      update.mutate({ id: vault.id, expectedVersion: vault.version, ...changed }, { onError })
    }
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
        <Textarea label="Description (optional)" autosize minRows={2} {...form.getInputProps('description')} />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {vault === undefined ? 'Create vault' : 'Save'}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
