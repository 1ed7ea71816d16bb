import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useOperation } from '../../api/queries.ts'
import { Loaded, SkeletonList } from '../../components/feedback/loaded.tsx'
import { describeRelation } from '../../components/records/relations.ts'
import classes from './note-view.module.css'
import type { OpenNoteProps } from './note-view.tsx'

const maxLinks = 100

/** Memories that come from the note, or are linked to it otherwise. */
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
                No memory is linked to this note. Agents link those that they take from it.
              </Text>
            )}
            <ul className={classes.plain}>
              {memories.map((link) => (
                <li key={link.linkId}>
                  <Text size="xs" c="dimmed">
                    {describeRelation(link)}
                    {!link.other.live && ', no longer live'}
                  </Text>
                  <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/memories/${link.other.id}`} />}>
                    {link.other.title.trim() === '' ? 'Without words' : link.other.title}
                  </Anchor>
                </li>
              ))}
            </ul>
            {hasMore && (
              <Text size="xs" c="dimmed" mt="sm">
                Of the {maxLinks} newest links.
              </Text>
            )}
          </>
        )
      }}
    </Loaded>
  )
}
