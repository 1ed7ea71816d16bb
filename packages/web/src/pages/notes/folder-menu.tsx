import type { Folder } from '@holdfast/client/dashboard'
import { ActionIcon, Button, Menu, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, FolderInput, FolderPlus, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { useAction } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { showErrors } from '../../components/forms/field-errors.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { refreshNotes } from './use-note-actions.ts'

interface Props {
  vaultId: string
  /** The selected folder; undefined at the root. */
  folder: Folder | undefined
  onChoose: (folderId: string) => void
  onMove: (folder: Folder) => void
}

/** The menu of the selected folder. */
export function FolderMenu({ vaultId, folder, onChoose, onMove }: Props) {
  const [form, setForm] = useState<'new' | 'rename'>()
  const client = useQueryClient()
  const remove = useAction('delete-folder', {
    onDone() {
      toast('Folder deleted')
      void refreshNotes(client)
      onChoose(folder?.parentId ?? '')
    },
  })
  const askToRemove = ({ id, name }: Folder) =>
    confirmStep({
      title: `Delete the folder ${name}?`,
      body: 'The folder must contain no folders or notes. Its notes in the trash become unfiled.',
      confirmLabel: 'Delete folder',
      onConfirm: () => remove.mutate({ vaultId, folderId: id }, { onError: (error) => toastError(error) }),
    })
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label="Folder actions">
            <Ellipsis size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<FolderPlus size={14} aria-hidden />} onClick={() => setForm('new')}>
            {folder === undefined ? 'New folder' : `New folder in ${folder.name}`}
          </Menu.Item>
          {folder !== undefined && (
            <>
              <Menu.Item leftSection={<Pencil size={14} aria-hidden />} onClick={() => setForm('rename')}>
                Rename {folder.name}
              </Menu.Item>
              <Menu.Item leftSection={<FolderInput size={14} aria-hidden />} onClick={() => onMove(folder)}>
                Move {folder.name}
              </Menu.Item>
              <Menu.Item leftSection={<Trash2 size={14} aria-hidden />} onClick={() => askToRemove(folder)}>
                Delete {folder.name}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <FormDialog
        opened={form !== undefined}
        onClose={() => setForm(undefined)}
        title={form === 'rename' ? 'Rename folder' : 'New folder'}
      >
        {(close) => (
          <FolderForm vaultId={vaultId} folder={folder} isNew={form === 'new'} onClose={close} onChoose={onChoose} />
        )}
      </FormDialog>
    </>
  )
}

interface FormProps extends Omit<Props, 'onMove'> {
  isNew: boolean
  onClose: () => void
}

function FolderForm({ vaultId, folder, isNew, onClose, onChoose }: FormProps) {
  const client = useQueryClient()
  const form = useForm({
    initialValues: { name: isNew ? '' : (folder?.name ?? '') },
    validate: {
      name: (name) =>
        name.trim() === '' ? 'Enter a name.' : name.includes('/') ? 'A name can’t contain a slash (/).' : null,
    },
  })
  const onDone = ({ id }: Folder) => {
    void refreshNotes(client)
    onClose()
    onChoose(id)
  }
  const add = useAction('create-folder', { onDone })
  const edit = useAction('update-folder', { onDone })
  const submit = ({ name }: { name: string }) => {
    const onError = (error: Error) => showErrors(form, error)
    if (isNew) add.mutate({ vaultId, name, ...(folder && { parentId: folder.id }) }, { onError })
    else if (folder !== undefined) edit.mutate({ vaultId, folderId: folder.id, name }, { onError })
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={add.isPending || edit.isPending}>
            {isNew ? 'Create folder' : 'Rename'}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
