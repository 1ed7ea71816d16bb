import { Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { call } from '../../api/call.ts'
import { useOperation } from '../../api/queries.ts'
import { Loaded, SkeletonList } from '../../components/feedback/loaded.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { NoteAnchor } from './backlinks.tsx'
import { refreshNotes } from './note-reads.ts'
import classes from './note-view.module.css'
import type { OpenNoteProps } from './note-view.tsx'

/** As many as one call takes. */
const maxAtOnce = 20

/** Texts that hold the title without a link, which can be made of it. */
export function Mentions({ vaultId, id }: Pick<OpenNoteProps, 'vaultId' | 'id'>) {
  const found = useOperation('read-mentions', { vaultId, id })
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    async mutationFn(noteIds: readonly string[]) {
      let links = 0
      for (let at = 0; at < noteIds.length; at += maxAtOnce) {
        const { notes } = await call('link-mentions', { vaultId, id, noteIds: noteIds.slice(at, at + maxAtOnce) })
        for (const { count } of notes) links += count
      }
      return links
    },
    onSuccess: (links) => toast(`${countOf(links, 'link')} made`),
    onError: (error) => toastError(error),
    onSettled: () => refreshNotes(client),
  })
  return (
    <Loaded query={found} skeleton={<SkeletonList rows={2} />}>
      {({ mentions, linkable, truncated }) => (
        <>
          {mentions.length === 0 && (
            <Text size="sm" c="dimmed">
              No other text holds this title without linking here.
            </Text>
          )}
          {!linkable && (
            <Text size="sm" c="dimmed" mb="sm">
              No link can lead here: an older note has this title, or it holds marks that links are made of.
            </Text>
          )}
          {linkable && mentions.length > 1 && (
            <Button
              size="xs"
              variant="default"
              mb="sm"
              leftSection={<Link2 size={14} aria-hidden />}
              loading={isPending}
              onClick={() => mutate(mentions.map(({ noteId }) => noteId))}
            >
              Link all
            </Button>
          )}
          <ul className={classes.plain}>
            {mentions.map(({ noteId, title, count, excerpt }) => (
              <li key={noteId}>
                <NoteAnchor id={noteId}>{title}</NoteAnchor>
                {count > 1 && (
                  <Text span size="xs" c="dimmed">
                    {' '}
                    {count} times
                  </Text>
                )}
                <div className={classes.excerpt}>{excerpt}</div>
                {linkable && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    mt={6}
                    disabled={isPending}
                    aria-label={`Link ${title}`}
                    onClick={() => mutate([noteId])}
                  >
                    Link
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {truncated && (
            <Text size="xs" c="dimmed" mt="sm">
              Only the notes that the title fits best were looked through.
            </Text>
          )}
        </>
      )}
    </Loaded>
  )
}
