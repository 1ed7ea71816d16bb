import type { Folder } from '@holdfast/client/dashboard'
import { Button, Modal, Select, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import { call } from '../../api/call.ts'
import { ErrorNotice } from '../../components/feedback/loaded.tsx'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import { refreshNotes } from './use-note-actions.ts'

interface Props {
  vaultId: string
  folders: readonly Folder[]
  /** The folder to move; undefined if the form is closed. */
  folder: Folder | undefined
  onClose: () => void
}

/** Moves a folder with everything in it. */
export function MoveFolder({ folder, onClose, ...rest }: Props) {
  return (
    <Modal opened={folder !== undefined} onClose={onClose} title={`Move the folder ${folder?.name ?? ''}`}>
      {folder !== undefined && <Fields key={folder.id} folder={folder} onClose={onClose} {...rest} />}
    </Modal>
  )
}

/** Stands for the root. Not a folder id. */
const top = 'top'

function Fields({ vaultId, folders, folder, onClose }: Props & { folder: Folder }) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState(folder.parentId ?? top)
  const put = (parentId: string | null) => call('update-folder', { vaultId, folderId: folder.id, parentId })
  const back = async () => {
    await put(folder.parentId)
    await refreshNotes(client)
    toast('Moved back')
  }
  const move = useMutation({
    mutationFn: () => put(chosen === top ? null : chosen),
    onSuccess({ path }) {
      void refreshNotes(client)
      onClose()
      toastUndo(`Folder moved to ${path}`, () => void back().catch(toastError))
    },
  })
  const inside = (path: string) => path === folder.path || path.startsWith(`${folder.path}/`)
  const places = folders.filter(({ path }) => !inside(path)).map(({ id, path }) => ({ value: id, label: path }))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen === (folder.parentId ?? top)) onClose()
        else move.mutate()
      }}
    >
      <Stack>
        {move.error !== null && <ErrorNotice error={move.error} retry={() => move.mutate()} isBusy={move.isPending} />}
        <Select
          label="Move to"
          description="Its contents move with it."
          searchable
          allowDeselect={false}
          data-autofocus
          // Otherwise the list covers the buttons as soon as the form opens.
          openOnFocus={false}
          value={chosen}
          onChange={(value) => setChosen(value ?? chosen)}
          data={[{ value: top, label: 'Top level' }, ...places]}
          limit={100}
          nothingFoundMessage="No matching folders."
          comboboxProps={{ withinPortal: true }}
        />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" loading={move.isPending}>
            Move
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
