import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction } from '../../api/queries.ts'
import { showErrors } from '../../components/forms/field-errors.ts'
import { FolderInput } from './move-form.tsx'
import { refreshNotes } from './use-note-actions.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
  vaultId: string
  /** The initial title; may be empty. */
  title: string
  folderPath: string
  folderPaths: readonly string[]
  onCreated: (id: string) => void
}

export function NoteForm({ isOpen, onClose, ...rest }: Props) {
  return (
    <FormDialog opened={isOpen} onClose={onClose} title="New note">
      {(close) => <Fields onClose={close} {...rest} />}
    </FormDialog>
  )
}

function Fields({ onClose, vaultId, title, folderPath, folderPaths, onCreated }: Omit<Props, 'isOpen'>) {
  const form = useForm({
    initialValues: { title, folderPath },
    validate: { title: (value) => (value.trim() === '' ? 'Enter a title.' : null) },
  })
  const client = useQueryClient()
  const add = useAction('create-note', {
    onDone({ noteId }) {
      void refreshNotes(client)
      onClose()
      onCreated(noteId)
    },
  })
  const submit = (values: { title: string; folderPath: string }) =>
    add.mutate(
      { vaultId, title: values.title.trim(), folderPath: values.folderPath.trim() },
      { onError: (error) => showErrors(form, error) },
    )
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput label="Title" maxLength={500} data-autofocus {...form.getInputProps('title')} />
        <FolderInput
          folderPaths={folderPaths}
          value={form.values.folderPath}
          onChange={(path) => form.setFieldValue('folderPath', path)}
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={add.isPending}>
            Create note
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
