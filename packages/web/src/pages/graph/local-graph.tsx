import { Anchor, Button, Skeleton, Text } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import type { OutputOf } from '../../api/call.ts'
import { useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonList } from '../../components/feedback/skeletons.tsx'
import { describeRelation } from '../../components/records/relations.ts'
import { countOf } from '../../components/text/time-text.ts'
import { compose, isLink, nameOf, type GraphEdge, type MapNode } from './graph-model.ts'
import { RelationMark } from './graph-legend.tsx'
import classes from './graph-page.module.css'
import { MarkOf, addressOf } from './node-mark.tsx'
import { canDraw } from './web-gl.ts'

const LocalMap = lazy(async () => ({ default: (await import('./local-map.tsx')).LocalMap }))

/** More nodes are unreadable in the small frame. */
const maxNodes = 40

/** The links of one record, as a map and as a list with the same content. */
export function LocalGraph({ vaultId, id }: { vaultId: string; id: string }) {
  const around = useOperation('read-graph', { vaultId, nodeId: id, depth: 1, limit: maxNodes })
  return (
    <Loaded query={around} skeleton={<SkeletonList rows={4} />}>
      {(answer) => <Around id={id} answer={answer} />}
    </Loaded>
  )
}

const everything = { hasEntities: false, hasUnlinked: true, kept: new Set<string>() }
const nothing = { nodes: new Set<string>(), edges: new Set<string>() }

function Around({ id, answer }: { id: string; answer: OutputOf<'read-graph'> }) {
  const navigate = useNavigate()
  const shown = useMemo(() => compose([answer], nothing, everything), [answer])
  const count = shown.nodes.size - 1
  const links = [...shown.edges.values()]
    .filter(isLink)
    .filter(({ sourceId, targetId }) => sourceId === id || targetId === id)
  const open = (nodeId: string) => {
    const node = shown.nodes.get(nodeId)
    const address = node === undefined || nodeId === id ? undefined : addressOf(node)
    if (address !== undefined) void navigate(address)
  }
  if (count === 0)
    return (
      <Text size="sm" c="dimmed">
        No links yet.
      </Text>
    )
  return (
    <>
      {canDraw() && (
        <Suspense fallback={<Skeleton className={classes.localMap} aria-label="Loading" />}>
          <LocalMap
            shown={shown}
            currentId={id}
            label={`Graph of ${countOf(shown.nodes.size, 'node')} and ${countOf(shown.edges.size, 'link')}. The list shows the same content.`}
            onChoose={open}
          />
        </Suspense>
      )}
      <ul className={classes.links} aria-label="Linked records">
        {links.map((link) => (
          <Neighbor key={link.linkId} link={link} id={id} nodes={shown.nodes} />
        ))}
      </ul>
      {answer.truncated && (
        <Text size="xs" c="dimmed" mt="sm">
          Showing the most important links only. Open the graph to see more.
        </Text>
      )}
      <Button
        variant="default"
        size="xs"
        mt="md"
        leftSection={<Workflow size={14} aria-hidden />}
        onClick={() => void navigate({ to: '/graph', search: { from: id } })}
      >
        Open in graph
      </Button>
    </>
  )
}

interface NeighborProps {
  link: GraphEdge
  id: string
  nodes: ReadonlyMap<string, MapNode>
}

function Neighbor({ link, id, nodes }: NeighborProps) {
  const isLeaving = link.sourceId === id
  const other = nodes.get(isLeaving ? link.targetId : link.sourceId)
  if (other === undefined) return null
  const address = addressOf(other)
  return (
    <li>
      <div className={classes.linkText}>
        <span className={classes.linkRelation}>
          <RelationMark relation={link.relationType} />{' '}
          {describeRelation({ ...link, direction: isLeaving ? 'outgoing' : 'incoming' })}
        </span>
        <div className={classes.nodeButton}>
          <MarkOf node={other} />
          {address === undefined ? (
            <Text size="sm">{nameOf(other)}</Text>
          ) : (
            <Anchor size="sm" renderRoot={(props) => <Link {...props} {...address} />}>
              {nameOf(other)}
            </Anchor>
          )}
        </div>
      </div>
    </li>
  )
}
