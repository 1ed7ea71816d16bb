import { Anchor, Button, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePage, type PageOf, useOperation } from '../../api/queries.ts'
import { LeftOut } from '../../components/lists/left-out.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonList } from '../../components/feedback/skeletons.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { describeRelation } from '../../components/records/relations.ts'
import { memoryIdIn } from './editor/wiki-target.ts'
import classes from './note-view.module.css'
import { noteSearch } from './note-filter.ts'
import type { OpenNoteProps } from './open-note.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { call } from '../../api/call.ts'
import { countOf, formatCount } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { refreshNotes } from './use-note-actions.ts'
import { OnlyFor } from '../../components/frame/only-for.tsx'
import { useMay } from '../../shell/role.ts'

const pageSize = 20

const useBacklinks = (vaultId: string, id: string, offset: number) =>
  usePage('read-backlinks', { vaultId, id, limit: pageSize, offset })

/** How many notes and memories link to the note. Nothing if none do. */
export function LinkedFrom({ vaultId, id, onOpen }: Pick<OpenNoteProps, 'vaultId' | 'id'> & { onOpen: () => void }) {
  const { data } = useBacklinks(vaultId, id, 0)
  if (data === undefined || data.total === 0) return null
  return (
    <Anchor component="button" type="button" size="xs" onClick={onOpen}>
      {`Linked from ${formatCount(data.total)}`}
    </Anchor>
  )
}

/** The links to the note, each with the line it is in, and the links in its own text. */
export function Backlinks({ vaultId, id, links, unresolvedLinks, setFilter }: OpenNoteProps) {
  const [offset, setOffset] = useState(0)
  const found = useBacklinks(vaultId, id, offset)
  return (
    <>
      <Loaded query={found} skeleton={<SkeletonList rows={2} />}>
        {(page) =>
          page.total === 0 ? (
            <Text size="sm" c="dimmed">
              No backlinks yet. To link here, write [[title]] in another note.
            </Text>
          ) : (
            <>
              <BacklinkList backlinks={page.backlinks} />
              <Pager page={page} onOffset={setOffset} />
            </>
          )
        }
      </Loaded>
      {links.length + unresolvedLinks.length > 0 && (
        <>
          <Title order={3} mt="lg" mb="xs">
            Links in this note
          </Title>
          <ul className={classes.plain}>
            {links.map(({ noteId, title }) => (
              <li key={noteId}>
                <NoteAnchor id={noteId}>{title}</NoteAnchor>
              </li>
            ))}
            {unresolvedLinks.map((title) =>
              memoryIdIn(title) === undefined ? (
                <li key={title}>
                  <Text span size="sm" c="dimmed" mr={8}>
                    {title}, not created yet
                  </Text>
                  <OnlyFor needs="editor">
                    <Button size="compact-xs" variant="default" onClick={() => setFilter({ new: true, title })}>
                      Create note
                    </Button>
                  </OnlyFor>
                </li>
              ) : (
                <li key={title}>
                  <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {title}, not a memory of this vault
                  </Text>
                </li>
              ),
            )}
          </ul>
        </>
      )}
    </>
  )
}

function BacklinkList({ backlinks }: Pick<PageOf<'read-backlinks'>, 'backlinks'>) {
  return (
    <ul className={classes.plain}>
      {backlinks.map((link) => {
        const { linkId, other, excerpt, relationType } = link
        const name = other.title.trim() === '' ? 'Untitled' : other.title
        return (
          <li key={linkId}>
            {relationType !== 'wiki_link' && (
              <Text size="xs" c="dimmed">
                {describeRelation(link)}
              </Text>
            )}
            {other.type === 'note' ? (
              <NoteAnchor id={other.id}>{name}</NoteAnchor>
            ) : (
              <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/memories/${other.id}`} />}>
                {name}
              </Anchor>
            )}
            {excerpt !== null && <div className={classes.excerpt}>{excerpt}</div>}
          </li>
        )
      })}
    </ul>
  )
}

function NoteAnchor({ id, children }: { id: string; children: string }) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/notes/${id}`} search={noteSearch} />}>
      {children}
    </Anchor>
  )
}

/** The most notes that one call accepts. */
const maxAtOnce = 20

/** Notes that contain the title without linking it, with buttons to add the link. */
export function Mentions({ vaultId, id }: Pick<OpenNoteProps, 'vaultId' | 'id'>) {
  const found = useOperation('read-mentions', { vaultId, id })
  const mayEdit = useMay('editor')
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
    onSuccess: (links) => toast(`${countOf(links, 'link')} added`),
    onError: (error) => toastError(error),
    onSettled: () => refreshNotes(client),
  })
  return (
    <Loaded query={found} skeleton={<SkeletonList rows={2} />}>
      {({ mentions, linkable, truncated, leftOut }) => (
        <>
          <LeftOut pages={leftOut === undefined ? [] : [{ leftOut }]} />
          {mentions.length === 0 && (
            <Text size="sm" c="dimmed">
              No other note mentions this title without a link.
            </Text>
          )}
          {mayEdit && !linkable && (
            <Text size="sm" c="dimmed" mb="sm">
              Notes can’t link here. Either an older note has the same title, or the title contains characters that
              links use.
            </Text>
          )}
          {mayEdit && linkable && mentions.length > 1 && (
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
                {mayEdit && linkable && (
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
              Only the best-matching notes were checked.
            </Text>
          )}
        </>
      )}
    </Loaded>
  )
}

const maxLinks = 100

/** The memories linked to the note. */
export function LinkedMemories({ vaultId, id }: Pick<OpenNoteProps, 'vaultId' | 'id'>) {
  const found = useOperation('get-links', { vaultId, nodeType: 'note', nodeId: id, limit: maxLinks })
  return (
    <Loaded query={found} skeleton={<SkeletonList rows={2} />}>
      {({ links, hasMore }) => {
        const memories = links.filter(({ other }) => other.type === 'memory')
        return (
          <>
            {memories.length === 0 && (
              <Text size="sm" c="dimmed">
                No linked memories. Agents link the memories that they create from this note.
              </Text>
            )}
            <ul className={classes.plain}>
              {memories.map((link) => (
                <li key={link.linkId}>
                  <Text size="xs" c="dimmed">
                    {describeRelation(link)}
                    {!link.other.live && ', no longer current'}
                  </Text>
                  <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/memories/${link.other.id}`} />}>
                    {link.other.title.trim() === '' ? 'Untitled' : link.other.title}
                  </Anchor>
                </li>
              ))}
            </ul>
            {hasMore && (
              <Text size="xs" c="dimmed" mt="sm">
                Only the newest {maxLinks} links are shown.
              </Text>
            )}
          </>
        )
      }}
    </Loaded>
  )
}
