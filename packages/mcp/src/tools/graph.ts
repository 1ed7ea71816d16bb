import { graphLines, linkLine } from '../render/graph.ts'
import { memoryLine } from '../render/memories.ts'
import { callText, counted } from '../render/one-line.ts'
import type { Answer } from '../render/compose.ts'
import { schemaOf } from '../schema.ts'
import { ToolProblem } from '../tool-problem.ts'
import { common, tool, type ToolCall } from '../tool.ts'
import { nodeOf, parseId } from './ids.ts'

export const relations = [
  'wiki_link',
  'derived_from',
  'contradicts',
  'refines',
  'part_of',
  'supersedes',
  'source_of',
  'references',
  'manual',
] as const

type Relation = (typeof relations)[number]

export const exploreGraph = tool({
  name: 'explore_graph',
  title: 'Follow links',
  description:
    'Follow links between memories and notes, from an id or from what a query finds. hops 1 from an id lists its links with their remarks.',
  inputSchema: schemaOf({
    id: { type: 'string', description: 'Where to begin; else query.' },
    query: { type: 'string' },
    hops: { type: 'integer', minimum: 1, maximum: 5, description: 'Default 2.' },
    relations: { type: 'array', items: { type: 'string', enum: relations }, description: 'Only these; from an id.' },
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Default 30.' },
    ...common,
  }),
  effect: 'read',
  scopes: ['read'],
  async run({ id, query, hops = 2, relations: only, limit = 30 }, call) {
    if (id === undefined && query === undefined) throw new ToolProblem('VALIDATION', 'id: required, or query.')
    if (id !== undefined && hops === 1) return listLinks(id, only, limit, call)
    if (id !== undefined && only !== undefined && only.length > 0) return listRelated(id, only, hops, limit, call)
    const begin = id === undefined ? { query } : { nodeId: parseId(id).id }
    const answer = await call.call('explore-graph', { ...begin, maxHops: hops, maxNodes: limit })
    const { nodes, edges, stats } = answer
    return {
      head: [`${counted(nodes.length, 'node')} and ${counted(edges.length, 'link')} within ${counted(hops, 'hop')}`],
      recalled: graphLines(nodes, edges),
      tail: stats.truncated ? [`there is more: raise limit, or begin at one of these by its id.`] : [],
      next: () => callText('explore_graph', { ...begin, hops, limit: Math.max(5, Math.floor(limit / 2)) }),
      data: { ...answer },
    }
  },
})

async function listLinks(
  id: string,
  only: readonly Relation[] | undefined,
  limit: number,
  call: ToolCall,
): Promise<Answer> {
  const node = await nodeOf(id, 'id', call)
  const relationTypes = only?.length === 0 ? undefined : only
  const answer = await call.call('get-links', {
    nodeType: node.type,
    nodeId: node.id,
    relationTypes: relationTypes && [...relationTypes],
    limit,
  })
  return {
    head: [`${counted(answer.total, 'link')} of ${id}`],
    recalled: answer.links.map(linkLine),
    total: answer.total,
    next: (shown) => callText('get_links', { nodeType: node.type, nodeId: node.id, offset: shown }),
    data: { ...answer },
  }
}

async function listRelated(
  id: string,
  only: readonly Relation[],
  hops: number,
  limit: number,
  call: ToolCall,
): Promise<Answer> {
  const { id: memoryId, kind } = parseId(id)
  if (kind === 'note') throw new ToolProblem('VALIDATION', 'relations: with more than one hop only from a memory.')
  const answer = await call.call('get-related-memories', {
    memoryId,
    maxHops: Math.min(hops, 3),
    relationTypes: [...only],
    limit,
  })
  return {
    head: [`${answer.total} related`],
    recalled: answer.memories.map(
      (memory) =>
        `${memoryLine(memory, call.now)} {${memory.direction} ${memory.relationType}, ${counted(memory.hops, 'hop')}}`,
    ),
    total: answer.total,
    next: (shown) => callText('get_related_memories', { memoryId, maxHops: hops, relationTypes: only, offset: shown }),
    data: { ...answer },
  }
}

export const addLink = tool({
  name: 'add_link',
  title: 'Link two items',
  description: 'Link two memories or notes of one vault: what the source is to the target.',
  inputSchema: schemaOf(
    {
      sourceId: { type: 'string' },
      targetId: { type: 'string' },
      relationType: { type: 'string', enum: relations },
      label: { type: 'string', description: 'A remark.' },
      ...common,
    },
    ['sourceId', 'targetId', 'relationType'],
  ),
  effect: 'write',
  isIdempotent: true,
  scopes: ['write'],
  async run({ sourceId, targetId, relationType, label }, call) {
    const [source, target] = [await nodeOf(sourceId, 'sourceId', call), await nodeOf(targetId, 'targetId', call)]
    const ends = { sourceType: source.type, sourceId: source.id, targetType: target.type, targetId: target.id }
    const answer = await call.call('add-link', { ...ends, relationType, label })
    return {
      head: [`${answer.created ? 'linked' : 'linked before'}: ${relationType} (link ${answer.linkId})`],
      data: { ...answer },
    }
  },
})
