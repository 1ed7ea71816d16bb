import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import type { NodeLink } from '../../generated/operations.ts'
import classes from './memory-detail.module.css'
import { describeRelation } from './relations.ts'

export function MemoryLinks({ links, linkCount }: { links: readonly NodeLink[]; linkCount: number }) {
  if (links.length === 0) return null
  return (
    <section>
      <Title order={3} mb="xs">
        Links
      </Title>
      <ul className={classes.plain}>
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
    <>
      <FileText size={13} aria-label="Note" style={{ verticalAlign: '-2px' }} /> {name}
    </>
  )
}
