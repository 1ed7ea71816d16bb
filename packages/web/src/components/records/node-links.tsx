import type { NodeLink } from '@holdfast/client/dashboard'
import { Anchor, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import classes from './node-links.module.css'
import { describeRelation } from './relations.ts'

/** What a record is linked to, the newest first. */
export function NodeLinks({ links, linkCount }: { links: readonly NodeLink[]; linkCount: number }) {
  const [first] = links
  if (first === undefined) return null
  const from = first.direction === 'outgoing' ? first.sourceId : first.targetId
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={3}>Links</Title>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/graph" search={{ from }} />}>
          Show in the graph
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
                  (no longer live)
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
      {linkCount > links.length && (
        <Text size="sm" c="dimmed" mt="xs">
          and {linkCount - links.length} older
        </Text>
      )}
    </section>
  )
}

function OtherEnd({ link: { other } }: { link: NodeLink }) {
  const name = other.title.trim() === '' ? 'Without words' : other.title
  if (other.type === 'memory')
    return <Anchor renderRoot={(props) => <Link {...props} to={`/memories/${other.id}`} search />}>{name}</Anchor>
  return (
    <Anchor renderRoot={(props) => <Link {...props} to={`/notes/${other.id}`} />}>
      <FileText size={13} aria-label="Note" style={{ verticalAlign: '-2px' }} /> {name}
    </Anchor>
  )
}
