import type { NodeLink } from '@holdfast/client/dashboard'
import { Anchor, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import classes from './node-links.module.css'
import { useOperation } from '../../api/queries.ts'
import { ErrorNotice } from '../feedback/loaded.tsx'
import { describeRelation } from './relations.ts'

const maxLinks = 50

interface Props {
  vaultId: string
  type: 'memory' | 'note'
  id: string
}

/** The links of a record, the newest first. Shows nothing for a record without links. */
export function NodeLinks({ vaultId, type, id }: Props) {
  const { data, error, refetch, isFetching } = useOperation('get-links', {
    vaultId,
    nodeType: type,
    nodeId: id,
    limit: maxLinks,
  })
  if (error !== null) return <ErrorNotice error={error} retry={() => void refetch()} isBusy={isFetching} />
  if (data === undefined || data.links.length === 0) return null
  const { links, total } = data
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={3}>Links</Title>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/graph" search={{ from: id }} />}>
          Show in graph
        </Anchor>
      </Group>
      <ul className={classes.list}>
        {links.map((link) => (
          <li key={link.linkId} className={classes.link}>
            <span className={classes.relation}>{describeRelation(link)}</span>
            <span>
              <OtherEnd link={link} />
              {!link.other.live && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  (no longer current)
                </Text>
              )}
              {link.label !== null && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  “{link.label}”
                </Text>
              )}
            </span>
          </li>
        ))}
      </ul>
      {total > links.length && (
        <Text size="sm" c="dimmed" mt="xs">
          and {total - links.length} older
        </Text>
      )}
    </section>
  )
}

function OtherEnd({ link: { other } }: { link: NodeLink }) {
  const name = other.title.trim() === '' ? 'Untitled' : other.title
  if (other.type === 'memory')
    return (
      <Anchor renderRoot={(props) => <Link {...props} to={`/memories/${other.id}`} search resetScroll={false} />}>
        {name}
      </Anchor>
    )
  return (
    <Anchor renderRoot={(props) => <Link {...props} to={`/notes/${other.id}`} />}>
      <FileText size={13} aria-label="Note" style={{ verticalAlign: '-2px' }} /> {name}
    </Anchor>
  )
}
