import type { ExploreGraphOutput, NodeLink } from '@holdfast/client'
import { entryLine } from './compose.ts'
import { counted, oneLine } from './one-line.ts'

type GraphNode = ExploreGraphOutput['nodes'][number]
type GraphEdge = ExploreGraphOutput['edges'][number]

const prefixes = { note: 'n', memory: 'm' } as const

export const nodeId = ({ type, id }: { type: 'note' | 'memory'; id: string }) => `${prefixes[type]}:${id}`

/** Prints numbered nodes, and links by these numbers, because an id needs about 23 tokens. */
export function graphLines(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): string[] {
  const numbers = new Map(nodes.map(({ id }, at) => [id, at + 1]))
  return [
    ...nodes.map((node, at) =>
      entryLine(
        [
          `${at + 1}.`,
          `[${nodeId(node)}]`,
          node.memoryType ?? 'note',
          node.importance === undefined ? undefined : `i${node.importance}`,
          `hop ${node.hop}`,
          counted(node.degree, 'link'),
        ],
        oneLine(node.title, 200),
      ),
    ),
    ...edges.map(({ sourceId, targetId, relationType, label }) =>
      entryLine(
        [`${numbers.get(sourceId) ?? '?'} ${relationType} ${numbers.get(targetId) ?? '?'}`],
        label === null ? '' : oneLine(label, 120),
      ),
    ),
  ]
}

export const linkLine = ({ direction, relationType, other, label, linkId }: NodeLink): string =>
  entryLine(
    [
      direction === 'outgoing' ? `${relationType} →` : `← ${relationType} from`,
      `[${nodeId(other)}]`,
      other.live ? undefined : 'not live',
      `link ${linkId}`,
    ],
    `${oneLine(other.title, 200)}${label === null ? '' : ` (${oneLine(label, 120)})`}`,
  )
