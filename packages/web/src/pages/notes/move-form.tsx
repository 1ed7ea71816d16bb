import { Autocomplete, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'

interface Props {
  isOpen: boolean
  onClose: () => void
  /** What is being moved, such as “3 notes”. */
  what: string
  folderPaths: readonly string[]
  current: string
  onMove: (folderPath: string) => void
}

export function MoveForm({ isOpen, onClose, what, ...rest }: Props) {
  return (
    <FormDialog opened={isOpen} onClose={onClose} title={`Move ${what}`}>
      {(close) => <Fields onClose={close} {...rest} />}
    </FormDialog>
  )
}

function Fields({ onClose, folderPaths, current, onMove }: Omit<Props, 'isOpen' | 'what'>) {
  const [path, setPath] = useState(current)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onClose()
        onMove(path.trim())
      }}
    >
      <Stack>
        <FolderInput value={path} onChange={setPath} folderPaths={folderPaths} />
        <DialogButtons onCancel={onClose}>
          <Button type="submit">Move</Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

interface FolderProps {
  value: string
  onChange: (path: string) => void
  folderPaths: readonly string[]
}

export function FolderInput({ value, onChange, folderPaths }: FolderProps) {
  return (
    <Autocomplete
      label="Folder"
      description="A path such as Projects/Boats. Missing folders are created. Leave empty for no folder."
      value={value}
      onChange={onChange}
      data={[...folderPaths]}
      limit={50}
      maxLength={5000}
      comboboxProps={{ withinPortal: true }}
    />
  )
}
