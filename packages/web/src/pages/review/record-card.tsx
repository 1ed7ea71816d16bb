import type { ReviewItem } from '@holdfast/client/dashboard'
import { Anchor, Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FileText, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import classes from './review-card.module.css'
import { keyOfItem } from './use-judged.ts'
import { OnlyFor } from '../../components/frame/only-for.tsx'

interface Props {
  item: ReviewItem
  title: string
  /** Shown instead of the title. */
  text?: string | undefined
  /** The id of the note, if it is about one. */
  noteId?: string | undefined
  /** Who did what to it, and when. */
  done: ReactNode
  buttons: ReactNode
  onFocus: () => void
  children: ReactNode
}

/** A card about one record of a person: what an agent did to it or proposes, and the buttons to decide. */
export function RecordCard({ item, title, text = title, noteId, done, buttons, onFocus, children }: Props) {
  const [memory] = item.memories
  const to = noteId === undefined ? memory && pathOfMemory(memory) : `/notes/${noteId}`
  const row = { 'data-row': keyOfItem(item), onFocus }
  return (
    <article className={classes.card} aria-label={title}>
      <div className={classes.side}>
        <span className={classes.facts}>
          {memory !== undefined && <MemoryTypeMark type={memory.memoryType} />}
          {noteId !== undefined && <NoteMark />}
          {done}
        </span>
        <p className={classes.text} data-heading={text === title}>
          {to === undefined ? (
            // Focusable, as the links of the other cards are.
            <span {...row} tabIndex={-1}>
              {text}
            </span>
          ) : (
            <Anchor inherit c="inherit" underline="hover" {...row} renderRoot={(link) => <Link {...link} to={to} />}>
              {text}
            </Anchor>
          )}
        </p>
        {children}
        <OnlyFor needs="editor">
          <span className={classes.buttons}>{buttons}</span>
        </OnlyFor>
      </div>
    </article>
  )
}

const pathOfMemory = ({ id, memoryType }: ReviewItem['memories'][number]) =>
  memoryType === 'task' ? `/tasks/${id}` : `/memories/${id}`

const NoteMark = () => (
  <Group gap={6} component="span" wrap="nowrap">
    <FileText size={14} aria-hidden />
    Note
  </Group>
)

interface ButtonProps {
  icon?: LucideIcon
  /** The key that does the same while the card has focus. */
  shortcut: 'a' | 'r' | 'w' | '1' | '2' | undefined
  isMain?: boolean
  isBusy?: boolean
  onClick: () => void
  children: ReactNode
}

export const CardButton = ({
  icon: Icon,
  shortcut,
  isMain = false,
  isBusy = false,
  onClick,
  children,
}: ButtonProps) => (
  <Button
    variant={isMain ? 'light' : 'default'}
    size="xs"
    className={classes.button}
    data-main={isMain}
    {...(Icon !== undefined && { leftSection: <Icon size={14} aria-hidden /> })}
    {...(shortcut !== undefined && { rightSection: <Key name={shortcut} /> })}
    loading={isBusy}
    aria-keyshortcuts={shortcut}
    onClick={onClick}
  >
    {children}
  </Button>
)

/** Hides the item until the page is opened again. */
export const SkipButton = ({ onSkip }: { onSkip: () => void }) => (
  <Button
    className={classes.button}
    variant="subtle"
    color="gray"
    size="xs"
    rightSection={<Key name="s" />}
    aria-keyshortcuts="s"
    onClick={onSkip}
  >
    Skip
  </Button>
)

/** Screen readers get the key from the button's attribute. */
const Key = ({ name }: { name: string }) => (
  <kbd className={classes.key} aria-hidden>
    {name}
  </kbd>
)
