import { Anchor, Button, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePage, type PageOf } from '../../api/queries.ts'
import { Loaded, SkeletonList } from '../../components/feedback/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { describeRelation } from '../../components/records/relations.ts'
import { memoryIdIn } from './editor/wiki-target.ts'
import classes from './note-view.module.css'
import type { OpenNoteProps } from './note-view.tsx'

const pageSize = 20

/** What leads to the note, with the line in which it does, and what its own text leads to. */
export function Backlinks({ vaultId, id, links, unresolvedLinks, setFilter }: OpenNoteProps) {
  const [offset, setOffset] = useState(0)
  const found = usePage('read-backlinks', { vaultId, id, limit: pageSize, offset })
  return (
    <>
      <Loaded query={found} skeleton={<SkeletonList rows={2} />}>
        {(page) =>
          page.total === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing links here yet. Others do by [[its title]].
            </Text>
          ) : (
            <>
              <List backlinks={page.backlinks} />
              <Pager page={page} onOffset={setOffset} />
            </>
          )
        }
      </Loaded>
      {links.length + unresolvedLinks.length > 0 && (
        <>
          <Title order={3} mt="lg" mb="xs">
            Links from here
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
                    {title}, which is no note yet
                  </Text>
                  <Button size="compact-xs" variant="default" onClick={() => setFilter({ new: true, title })}>
                    Make it
                  </Button>
                </li>
              ) : (
                <li key={title}>
                  <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {title}, which is no memory of this vault
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

function List({ backlinks }: Pick<PageOf<'read-backlinks'>, 'backlinks'>) {
  return (
    <ul className={classes.plain}>
      {backlinks.map((link) => {
        const { linkId, other, excerpt, relationType } = link
        const name = other.title.trim() === '' ? 'Without words' : other.title
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

export function NoteAnchor({ id, children }: { id: string; children: string }) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/notes/${id}`} search />}>
      {children}
    </Anchor>
  )
}
