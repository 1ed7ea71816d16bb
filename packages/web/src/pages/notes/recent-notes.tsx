import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Moment } from '../../components/text/moment.tsx'
import { noteSearch } from './note-filter.ts'
import classes from './note-list.module.css'
import { useRecentNotes } from './opened-notes.ts'
import { useNoteOnce } from './use-note-once.ts'

/** The notes opened last in this browser. */
export function RecentNotes({ vaultId, openId }: { vaultId: string; openId: string | undefined }) {
  const ids = useRecentNotes(vaultId)
  if (ids.length === 0) return <Text c="dimmed">Notes that you open appear here.</Text>
  return (
    <ul className={classes.list} aria-label="Notes">
      {ids.map((id) => (
        <Row key={id} vaultId={vaultId} id={id} isOpen={id === openId} />
      ))}
    </ul>
  )
}

function Row({ vaultId, id, isOpen }: { vaultId: string; id: string; isOpen: boolean }) {
  const note = useNoteOnce(vaultId, id)
  if (note === undefined) return null
  return (
    <li className={classes.row} data-open={isOpen}>
      <div className={classes.main}>
        <Anchor
          renderRoot={(props) => <Link {...props} to={`/notes/${id}`} search={noteSearch} resetScroll={false} />}
          c="inherit"
          className={classes.title}
          data-row={id}
          {...(isOpen && { 'aria-current': 'page' as const })}
        >
          {note.title}
        </Anchor>
        <div className={classes.below}>
          <span>
            <Moment at={note.updatedAt} />
            {note.folderPath !== null && ` · ${note.folderPath}`}
            {note.status === 'trashed' && ' · in the trash'}
          </span>
        </div>
      </div>
    </li>
  )
}
