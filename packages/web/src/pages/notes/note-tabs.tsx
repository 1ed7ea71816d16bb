import { CloseButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { noteSearch } from './note-filter.ts'
import classes from './note-tabs.module.css'
import { closeTab, useNoteTabs } from './opened-notes.ts'
import { useNoteOnce } from './use-note-once.ts'

interface Props {
  vaultId: string
  openId: string
  onOpen: (id: string) => void
  onClose: () => void
}

/** The notes opened in this tab of the browser, once there are two. */
export function NoteTabs({ vaultId, openId, onOpen, onClose }: Props) {
  const ids = useNoteTabs(vaultId)
  if (ids.length < 2) return null
  const close = (id: string) => {
    const next = closeTab(vaultId, id)
    if (id !== openId) return
    if (next === undefined) onClose()
    else onOpen(next)
  }
  return (
    <nav aria-label="Open notes" className={classes.tabs}>
      {ids.map((id) => (
        <NoteTab key={id} vaultId={vaultId} id={id} isOpen={id === openId} onClose={() => close(id)} />
      ))}
    </nav>
  )
}

function NoteTab({
  vaultId,
  id,
  isOpen,
  onClose,
}: {
  vaultId: string
  id: string
  isOpen: boolean
  onClose: () => void
}) {
  const title = useNoteOnce(vaultId, id)?.title
  if (title === undefined) return null
  return (
    <div className={classes.tab} data-open={isOpen}>
      <Link
        to={`/notes/${id}`}
        search={noteSearch}
        resetScroll={false}
        className={classes.link}
        title={title}
        {...(isOpen && { 'aria-current': 'page' as const })}
      >
        {title}
      </Link>
      <CloseButton size="sm" aria-label={`Close ${title}`} onClick={onClose} />
    </div>
  )
}
