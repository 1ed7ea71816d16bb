import { Button, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from './form-dialog.tsx'
import { DialogButtons } from '../feedback/dialog-buttons.tsx'

interface Props {
  title: string
  label: string
  description: string
  initial?: string
  maxChars: number
  /** The button's text. */
  action: string
  /** Default: true. False if something else gets the focus after closing. */
  returnFocus?: boolean
  onDone: (text: string) => void
  onClose: () => void
}

/** Asks for a text before an action. */
export function TextDialog(props: Props) {
  const { title, label, description, initial = '', maxChars, action, returnFocus = true, onDone, onClose } = props
  const [text, setText] = useState(initial)
  return (
    <FormDialog opened onClose={onClose} title={title} returnFocus={returnFocus}>
      {(close) => (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim() !== '') onDone(text.trim())
          }}
        >
          <Stack>
            <Textarea
              label={label}
              description={description}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              maxLength={maxChars}
              autosize
              minRows={2}
              maxRows={8}
              data-autofocus
            />
            <DialogButtons onCancel={close}>
              <Button type="submit" disabled={text.trim() === ''}>
                {action}
              </Button>
            </DialogButtons>
          </Stack>
        </form>
      )}
    </FormDialog>
  )
}
