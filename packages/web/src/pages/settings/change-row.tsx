import { Button, Group, Stack } from '@mantine/core'
import { useRef, type FormEventHandler, type ReactNode } from 'react'
import { useFocusAfter } from '../../components/feedback/use-focus-after.ts'
import styles from './settings-page.module.css'

export interface RowState {
  isOpen: boolean
  /** Also called when saving failed, because another row may be open by then. */
  onOpen: () => void
  onClose: () => void
}

interface Props extends RowState, Omit<FormProps, 'label' | 'onClose' | 'findButton'> {
  name: string
  value: ReactNode
}

/** A value of the account. Its button opens a form, whose state belongs to the row: what is typed stays while another row is open. */
export function ChangeRow({ name, value, isOpen, onOpen, ...form }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const label = `Change ${name.toLowerCase()}`
  return (
    <li className={`${styles.row} ${styles.value}`}>
      <span>{name}</span>
      <span className={styles.what}>{value}</span>
      {isOpen ? (
        <RowForm {...form} label={label} findButton={() => button.current} />
      ) : (
        <Button ref={button} size="xs" variant="default" aria-label={label} onClick={onOpen}>
          Change
        </Button>
      )}
    </li>
  )
}

interface FormProps {
  label: string
  onSubmit: FormEventHandler<HTMLFormElement>
  isSaving: boolean
  /** Whether there is nothing to save yet. */
  isUnchanged?: boolean
  onReset: () => void
  onClose: () => void
  /** What gets the focus once the form is gone. */
  findButton: () => HTMLElement | null
  /** The fields. The first one has `autoFocus`. */
  children: ReactNode
}

function RowForm({
  label,
  onSubmit,
  isSaving,
  isUnchanged = false,
  onReset,
  onClose,
  findButton,
  children,
}: FormProps) {
  const noteUse = useFocusAfter(findButton)
  const cancel = () => {
    noteUse()
    onReset()
    onClose()
  }
  return (
    <form
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        noteUse()
        onSubmit(event)
      }}
    >
      <Stack maw={400}>
        {children}
        <Group gap="xs">
          <Button type="submit" loading={isSaving} disabled={isUnchanged}>
            {label}
          </Button>
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
