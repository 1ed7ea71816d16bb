import { Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { describeOrigin } from '../../components/records/relations.ts'
import { formatMoment } from '../../components/text/time-text.ts'
import { countOf } from '../../components/text/time-text.ts'
import classes from './graph-page.module.css'
import { RelationMark } from './graph-legend.tsx'
import { isEntity, isLink, nameOf, titleOfMapRelation, type MapEdge, type MapNode, type Shown } from './graph-model.ts'
import { MarkOf } from './node-mark.tsx'

interface Props {
  link: MapEdge
  shown: Shown
  onChoose: (id: string) => void
}

/** Why two nodes are linked: the relation, its label, who made it and when; or what both are about. */
export function LinkPanel({ link, shown, onChoose }: Props) {
  const [source, target] = [shown.nodes.get(link.sourceId), shown.nodes.get(link.targetId)]
  if (source === undefined || target === undefined) return null
  return (
    <Stack gap="md">
      <Title order={2}>Why these are linked</Title>
      <div className={classes.reason}>
        <NodeLine node={source} onChoose={onChoose} />
        <span className={classes.linkRelation}>
          <RelationMark relation={link.relationType} />{' '}
          {isLink(link) ? titleOfMapRelation(link.relationType) : 'is about'}
        </span>
        <NodeLine node={target} onChoose={onChoose} />
      </div>
      {isLink(link) ? (
        <>
          {link.label !== null && <Text style={{ overflowWrap: 'anywhere' }}>“{link.label}”</Text>}
          <Text size="sm" c="dimmed">
            {describeOrigin(link.origin)}, {formatMoment(link.createdAt)}.
          </Text>
        </>
      ) : (
        isEntity(target) && <AboutList entity={target} exceptId={source.id} shown={shown} onChoose={onChoose} />
      )}
    </Stack>
  )
}

interface ListProps {
  entity: MapNode
  /** The node whose link is explained. */
  exceptId?: string
  shown: Shown
  onChoose: (id: string) => void
}

/** The nodes shown that are about an entity, which connects them. */
export function AboutList({ entity, exceptId, shown, onChoose }: ListProps) {
  const ids = [...shown.edges.values()].filter(({ targetId }) => targetId === entity.id).map(({ sourceId }) => sourceId)
  const nodes = ids.filter((id) => id !== exceptId).flatMap((id) => shown.nodes.get(id) ?? [])
  return (
    <section>
      <Text size="sm" c="dimmed" mb="xs">
        {exceptId === undefined
          ? ''
          : nodes.length === 0
            ? 'No other node here is about it. '
            : 'These are about it, too. '}
        {countOf(entity.degree, 'memory or task', 'memories and tasks')} in this vault.
      </Text>
      <ul className={classes.links}>
        {nodes.slice(0, maxListed).map((node) => (
          <li key={node.id}>
            <NodeLine node={node} onChoose={onChoose} />
          </li>
        ))}
      </ul>
      {nodes.length > maxListed && <Text size="sm">and {nodes.length - maxListed} more</Text>}
    </section>
  )
}

const maxListed = 30

const NodeLine = ({ node, onChoose }: { node: MapNode; onChoose: (id: string) => void }) => (
  <UnstyledButton className={classes.nodeButton} onClick={() => onChoose(node.id)}>
    <MarkOf node={node} />
    <span>{nameOf(node)}</span>
  </UnstyledButton>
)
