import { useComputedColorScheme } from '@mantine/core'
import { titleOfType } from '../../components/records/memory-marks.tsx'
import { schemeOf } from './graph-look.ts'
import { kindOf, type MapNode, type NodeKind } from './graph-model.ts'
import { fragmentOf } from '../../components/records/entity-address.ts'
import { hasPage } from '../../shell/navigation.ts'

export const titleOfKind = (kind: NodeKind) =>
  kind === 'note' ? 'Note' : kind === 'entity' ? 'Entity' : titleOfType(kind)

/** The shape of a node as on the map, with its kind as the accessible name. */
export function NodeMark({
  kind,
  isBroken = false,
  hasRing = false,
}: {
  kind: NodeKind
  isBroken?: boolean
  hasRing?: boolean
}) {
  const { nodes } = schemeOf(useComputedColorScheme('light'))
  const color = nodes[kind]
  const look = isBroken
    ? { fill: color, fillOpacity: 0.22, stroke: color, strokeWidth: 1.6, strokeDasharray: '3 2' }
    : { fill: color }
  return (
    <svg
      width={16}
      height={16}
      viewBox="-8 -8 16 16"
      role="img"
      aria-label={titleOfKind(kind)}
      style={{ flex: 'none' }}
    >
      {kind === 'note' && <rect x={-5} y={-5} width={10} height={10} rx={2.5} {...look} />}
      {kind === 'task' && <path d="M0 -6.2L6.2 0L0 6.2L-6.2 0Z" {...look} />}
      {kind === 'entity' && <path d="M-5.5 0L-2.75 -4.9H2.75L5.5 0L2.75 4.9H-2.75Z" {...look} />}
      {kind !== 'note' && kind !== 'task' && kind !== 'entity' && <circle r={hasRing ? 4 : 5} {...look} />}
      {hasRing && <circle r={6.6} fill="none" stroke={color} strokeWidth={1.4} />}
    </svg>
  )
}

export const MarkOf = ({ node }: { node: Pick<MapNode, 'type' | 'memoryType' | 'live'> }) => (
  <NodeMark kind={kindOf(node)} isBroken={!node.live} />
)

/** The address of a node's page; undefined if it has none. */
export function addressOf(
  node: Pick<MapNode, 'id' | 'type' | 'memoryType' | 'title'>,
): { to: string; hash?: string } | undefined {
  const kind = kindOf(node)
  if (kind === 'entity') return { to: '/entities', hash: fragmentOf(node.title) }
  const page = kind === 'note' ? '/notes' : kind === 'task' && hasPage('/tasks') ? '/tasks' : '/memories'
  return hasPage(page) ? { to: `${page}/${node.id}` } : undefined
}
