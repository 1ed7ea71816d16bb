import { z } from 'zod'
import { createBest } from '../core/best-of.ts'
import type { RelationType } from '../links/relation-types.ts'
import type { NodeType } from '../links/store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import type { SlotTest } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { describeGraphNode, describeWalk, exampleNode, graphNode } from './describe-walk.ts'
import { filterFields, nodeTest, relationsOf, type GraphFilter } from './graph-filter.ts'
import { exampleLink, linkRecord } from './link.ts'
import {
  entitiesAmong,
  exampleEntity,
  findShared,
  graphEntity,
  maxEntities,
  nameShared,
  type SharedEntities,
} from './node-entities.ts'
import { requireNode } from './nodes.ts'
import { linksAmong, maxEdges, refOf, walkGraph, type WalkedNode } from './walk.ts'

export const readGraph = operation({
  name: 'read-graph',
  for: { person: 'GET /api/graph' },
  vault: 'required',
  summary: 'Read a node and its neighborhood, or the best connected nodes of a vault, with the links among them.',
  effect: 'read',
  outdatedBy: ['links', 'notes', 'memories', 'tasks'],
  about: ({ nodeId }) => refs('node', nodeId),
  input: z.object({
    ...fields.ownVault,
    nodeId: z.uuid().optional().describe('Start from this note or memory. Default: the best connected nodes.'),
    depth: z.int().min(1).max(5).default(1).describe('Maximum distance in links, 1 to 5.'),
    limit: z.int().min(1).max(200).default(150).describe('Maximum number of nodes, 1 to 200.'),
    entities: z
      .boolean()
      .default(false)
      .describe('Also return what the nodes are about, and count shared entities as connections.'),
    ...filterFields,
  }),
  output: z.looseObject({
    nodes: z.array(graphNode).describe('Nearest first, or best connected first.'),
    edges: z.array(linkRecord).describe(`Links among the nodes, at most ${maxEdges}.`),
    entities: z
      .array(graphEntity)
      .optional()
      .describe(`Only if requested: what the nodes and other records are about, at most ${maxEntities}.`),
    totalNodes: z
      .int()
      .describe('Number of notes and memories in the vault that match the filter; without a filter, all live ones.'),
    truncated: z.boolean().describe('Whether more nodes or entities within the depth, or in the vault, were left out.'),
  }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', nodeId: exampleLink.sourceId, entities: true },
    output: {
      nodes: [
        exampleNode(exampleLink.sourceId, 'The user prefers tabs over spaces in Go code.', 0),
        exampleNode(exampleLink.targetId, 'The user writes Go in Neovim.', 1),
      ],
      edges: [exampleLink],
      entities: [exampleEntity(exampleLink.sourceId, exampleLink.targetId)],
      totalNodes: 40,
      truncated: false,
    },
  },
  async run({ nodeId, depth, limit, entities: withEntities, ...filter }, ctx) {
    if (nodeId !== undefined) await requireNode(ctx.db.read, ctx.vault, nodeId, undefined)
    const found = await findNodes(ctx, { nodeId, depth, limit, withEntities }, filter)
    const { nodes, links } = await describeWalk(
      ctx,
      found.nodes,
      found.among.links,
      ({ id, isLive }) => isLive || filter.state === 'all' || id === nodeId,
    )
    return {
      nodes: nodes.map(describeGraphNode),
      edges: links,
      ...(found.about !== undefined && { entities: nameShared(ctx.vault, found.about.entities, nodes) }),
      totalNodes: found.total,
      truncated: found.isCut || found.among.isCut || found.about?.isCut === true,
    }
  },
})

interface Wanted {
  nodeId: string | undefined
  depth: number
  limit: number
  withEntities: boolean
}

const findNodes = (
  ctx: Pick<VaultContext, 'vault' | 'indexes' | 'now'>,
  { nodeId, depth, limit, withEntities }: Wanted,
  filter: GraphFilter,
) =>
  ctx.indexes.read(ctx.vault, (index) => {
    const passes = nodeTest(index, filter, ctx)
    const relationTypes = relationsOf(filter)
    const shared = withEntities ? findShared(index, passes) : undefined
    const best = bestConnected(index, { passes, relationTypes, shared, limit: nodeId === undefined ? limit : 1 })
    const walk =
      nodeId === undefined
        ? undefined
        : walkGraph(index, [nodeId], { maxHops: depth, maxNodes: limit, passes, relationTypes })
    const nodes = walk?.nodes ?? best.nodes
    return {
      nodes,
      total: best.total,
      isCut: walk?.isCut ?? best.total > best.nodes.length,
      among: linksAmong(index, nodes, { maxLinks: maxEdges, relationTypes }),
      about:
        shared &&
        entitiesAmong(
          index,
          nodes.map(({ id }) => id),
          shared,
        ),
    }
  })

interface Choice {
  passes: SlotTest
  limit: number
  /** Count only these links, and return only nodes that have one. Default: count all, and return nodes without links too. */
  relationTypes?: readonly RelationType[] | undefined
  /** Each shared entity counts as a link. */
  shared: SharedEntities | undefined
}

/**
 * The nodes with the most links, and the total that matches the filter. Ties go to the more important node, then to the newer one, so a vault
 * without links shows something too. Reads each slot once: 100,000 take about 10 ms.
 */
function bestConnected(
  index: VaultIndex,
  { passes, limit, relationTypes, shared }: Choice,
): { nodes: WalkedNode[]; total: number } {
  const counts = relationTypes === undefined ? undefined : countLinks(index, relationTypes)
  const linksAt = (slot: number) => counts?.[index.parts.slotNodes[slot] as number] ?? degreeAt(index, slot)
  const worthAt = (slot: number) => linksAt(slot) + (shared?.sharedAt(slot) ?? 0)
  const best = createBest(limit, byWorth(index, worthAt))
  let total = 0
  for (let slot = 0; slot < index.slotCount; slot++) {
    if (!passes(slot) || (counts !== undefined && linksAt(slot) === 0)) continue
    total++
    best.offer(slot)
  }
  return { nodes: best.items.map((slot) => nodeAt(index, slot)), total }
}

/** How many links of these relations each node has, in both directions. */
function countLinks({ parts }: VaultIndex, relationTypes: readonly RelationType[]): Uint32Array {
  const counts = new Uint32Array(parts.nodes.count)
  const count = (node: number) => (counts[node] = (counts[node] as number) + 1)
  for (const relation of relationTypes)
    parts.links.forEachOf(parts.relationNames.indexOf(relation), (source, target) => {
      count(source)
      count(target)
    })
  return counts
}

function byWorth(index: VaultIndex, worthAt: (slot: number) => number): (a: number, b: number) => number {
  const { importances, createdAt } = index.parts.facts.arrays
  return (a, b) =>
    worthAt(b) - worthAt(a) ||
    (importances[b] as number) - (importances[a] as number) ||
    (createdAt[b] as number) - (createdAt[a] as number) ||
    (index.itemIdOf(a) < index.itemIdOf(b) ? -1 : 1)
}

const degreeAt = ({ parts }: VaultIndex, slot: number): number => parts.links.degreeOf(parts.slotNodes[slot] as number)

const nodeAt = (index: VaultIndex, slot: number): WalkedNode & { type: NodeType } => ({
  ...refOf(index, slot),
  hop: 0,
  degree: degreeAt(index, slot),
  via: undefined,
})
