import { relationTypes } from '../generated/words.ts'
import { graphLines, linkLine, nodeId } from '../render/graph.ts'
import { memoryLine } from '../render/memories.ts'
import { counted } from '../render/one-line.ts'
import type { Answer } from '../render/compose.ts'
import { objectSchema } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { common, tool, type ToolCall } from '../tool.ts'
import { resolveNode, parseId } from './ids.ts'

type Relation = (typeof relationTypes)[number]

export const exploreGraph = tool({
  name: 'explore_graph',
  title: 'Follow links',
  description:
    'Follow links between memories and notes, from an id or from the results of a query. hops 1 from an id lists its links with their labels.',
  inputSchema: objectSchema({
    id: { type: 'string', description: 'Where to start, or use query.' },
    query: { type: 'string' },
    hops: { type: 'integer', minimum: 1, maximum: 5, description: 'Default 2.' },
    relations: { type: 'array', items: { type: 'string', enum: relationTypes }, description: 'Only these. Needs id.' },
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Default 30.' },
    offset: { type: 'integer', minimum: 0, description: 'For lists of links.' },
    ...common,
  }),
  effect: 'read',
  scopes: ['read'],
  async run({ id, query, hops = 2, relations: only, limit = 30, offset = 0 }, call) {
    if (id === undefined && query === undefined) throw new ToolProblem('VALIDATION', 'id: required, or query.')
    if (id !== undefined && hops === 1) return listLinks(id, only, { limit, offset }, call)
    if (id !== undefined && only !== undefined && only.length > 0)
      return listRelated({ id, only, hops }, { limit, offset }, call)
    const begin = id === undefined ? { query } : { nodeId: parseId(id).id }
    const answer = await call.call('explore-graph', { ...begin, maxHops: hops, maxNodes: limit })
    const { nodes, edges, stats } = answer
    return {
      head: [`${counted(nodes.length, 'node')} and ${counted(edges.length, 'link')} within ${counted(hops, 'hop')}`],
      recalled: graphLines(nodes, edges),
      tail: stats.truncated ? [`there is more: raise limit, or start from one of these ids.`] : [],
      next: (shown) => {
        const last = nodes[Math.max(1, Math.min(shown, nodes.length)) - 1]
        return call.follow('explore_graph', { id: last && nodeId(last), hops: 1 })
      },
      data: { ...answer },
    }
  },
})

interface Page {
  limit: number
  offset: number
}

/** Maximum hops when following certain relations. */
const maxRelatedHops = 3

const nextPage = (total: number, { offset }: Page, { again }: ToolCall) => ({
  total: total - offset,
  next: (shown: number) => again({ offset: offset + Math.max(shown, 1) }),
})

async function listLinks(
  id: string,
  only: readonly Relation[] | undefined,
  page: Page,
  call: ToolCall,
): Promise<Answer> {
  const node = await resolveNode(id, 'id', call)
  const wanted = only?.length === 0 ? undefined : only
  const answer = await call.call('get-links', {
    nodeType: node.type,
    nodeId: node.id,
    relationTypes: wanted && [...wanted],
    ...page,
  })
  return {
    head: [`${counted(answer.total, 'link')} of ${node.type} ${node.id}`],
    recalled: answer.links.map(linkLine),
    ...nextPage(answer.total, page, call),
    data: { ...answer },
  }
}

async function listRelated(
  { id, only, hops }: { id: string; only: readonly Relation[]; hops: number },
  page: Page,
  call: ToolCall,
): Promise<Answer> {
  const { id: memoryId, kind } = parseId(id)
  if (kind === 'note') throw new ToolProblem('VALIDATION', 'relations: with more than one hop, id must be a memory.')
  const answer = await call.call('get-related-memories', {
    memoryId,
    maxHops: Math.min(hops, maxRelatedHops),
    relationTypes: [...only],
    ...page,
  })
  return {
    head: [`${answer.total} related within ${counted(Math.min(hops, maxRelatedHops), 'hop')}`],
    recalled: answer.memories.map(
      (memory) =>
        `${memoryLine(memory, call.now)} {${memory.direction} ${memory.relationType}, ${counted(memory.hops, 'hop')}}`,
    ),
    ...nextPage(answer.total, page, call),
    data: { ...answer },
  }
}

export const addLink = tool({
  name: 'add_link',
  title: 'Link two items',
  description: 'Link two memories or notes of one vault. The relation says how the source relates to the target.',
  inputSchema: objectSchema(
    {
      sourceId: { type: 'string' },
      targetId: { type: 'string' },
      relationType: { type: 'string', enum: relationTypes },
      label: { type: 'string', description: 'Optional text.' },
      ...common,
    },
    ['sourceId', 'targetId', 'relationType'],
  ),
  effect: 'write',
  isIdempotent: true,
  scopes: ['write'],
  async run({ sourceId, targetId, relationType, label }, call) {
    const [source, target] = [
      await resolveNode(sourceId, 'sourceId', call),
      await resolveNode(targetId, 'targetId', call),
    ]
    const ends = { sourceType: source.type, sourceId: source.id, targetType: target.type, targetId: target.id }
    const answer = await call.call('add-link', { ...ends, relationType, label })
    return {
      head: [`${answer.created ? 'linked' : 'already linked'}: ${relationType} (link ${answer.linkId})`],
      data: { ...answer },
    }
  },
})
