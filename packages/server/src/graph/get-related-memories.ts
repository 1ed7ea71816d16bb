import { z } from 'zod'
import { collectDamage } from '../crypto/cell.ts'
import { listNewestLinksFrom } from '../links/graph-store.ts'
import { describeMemory, exampleMemory, memoryRecord } from '../memories/memory.ts'
import { findIntactMemories } from '../memories/store.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeLeftOut, leftOut, page, pageOf } from '../operation/page.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { exampleLink, relationFilter, relationType } from './link.ts'
import { nodeType, requireNode } from './nodes.ts'
import { livenessNow, walkGraph, type Step, type WalkedNode } from './walk.ts'

const direction = z
  .enum(['outgoing', 'incoming'])
  .describe('Whether the link points away from the requested memory or towards it.')

const related = memoryRecord
  .extend({
    relationType: relationType.describe('Relation of the last link on the path.'),
    direction,
    hops: z.int().describe('Distance in links from the requested memory.'),
    path: z
      .array(z.looseObject({ id: z.uuid(), type: nodeType, relationType, direction }))
      .describe('The links that lead to it, each with the note or memory at its end. The last one is this memory.'),
  })
  .meta({ id: 'RelatedMemory' })

export const getRelatedMemories = operation({
  name: 'get-related-memories',
  for: { agent: { toolset: 'memory', scopes: ['read'] } },
  vault: 'resolved',
  summary: 'List the live memories linked to a memory, nearest first.',
  effect: 'read',
  about: ({ memoryId }) => refs('memory', memoryId),
  alias: 'memoryId',
  input: z.object({
    memoryId: fields.memoryId,
    maxHops: z
      .int()
      .min(1)
      .max(3)
      .default(1)
      .describe('Maximum distance in links, 1 to 3. Paths can lead through notes.'),
    relationTypes: relationFilter,
    limit: fields.limit,
    offset: fields.offset,
    ...fields.inVault,
  }),
  output: z.looseObject({
    memoryId: z.uuid(),
    memories: z.array(related).describe('Nearest first, then by importance.'),
    ...leftOut,
    ...page,
    truncated: z
      .boolean()
      .describe(
        'Whether a limit was reached: 1,000 nodes in total, and 256 links per node in each direction, or fewer if a hop has hundreds of nodes.',
      ),
  }),
  returns: ({ memoryId, memories }) => refs('memory', [memoryId, ...memories.map((memory) => memory.memoryId)]),
  examples: {
    input: { memoryId: exampleLink.sourceId, maxHops: 2 },
    output: {
      memoryId: exampleLink.sourceId,
      memories: [
        {
          ...exampleMemory,
          memoryId: exampleLink.targetId,
          id: exampleLink.targetId,
          content: 'The user writes Go in Neovim.',
          relationType: 'refines',
          direction: 'outgoing',
          hops: 1,
          path: [{ id: exampleLink.targetId, type: 'memory', relationType: 'refines', direction: 'outgoing' }],
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
      truncated: false,
    },
  },
  async run({ memoryId, maxHops, relationTypes, ...asked }, ctx) {
    const { db, vault, indexes, lastUsed, now } = ctx
    await requireNode(db.read, vault, memoryId, 'memory')
    const { nodes, isCut } = await indexes.read(vault, (index) =>
      walkGraph(index, [memoryId], { maxHops, maxNodes: maxWalked, relationTypes, passes: livenessNow(index, now()) }),
    )
    const reached = nodes.filter(({ type, hop }) => type === 'memory' && hop > 0)
    const shown = reached.slice(asked.offset, asked.offset + asked.limit)
    const ids = shown.map(({ id }) => id)
    const damage = collectDamage(ctx.instance.onDamage)
    const intact = await findIntactMemories(db.read, vault, ids, damage.onDamage)
    const memories = new Map(intact.map((memory) => [memory.memoryId, memory]))
    const links = await listNewestLinksFrom(db.read, vault, ids)
    for (const id of memories.keys())
      lastUsed.record('memories', id, { userId: vault.userId, vaultId: vault.id }, now())
    const described = shown.flatMap((node) => {
      const memory = memories.get(node.id)
      return memory === undefined ? [] : [{ ...describeMemory(memory, links), ...describePath(node) }]
    })
    await addKeyLabels(ctx, described)
    return {
      memoryId,
      memories: described,
      ...describeLeftOut(damage.ids),
      ...pageOf(asked, reached.length),
      truncated: isCut,
    }
  },
})

const maxWalked = 1_001

function describePath(node: WalkedNode) {
  const path = pathTo(node).map(({ to, step }) => ({ id: to.id, type: to.type, ...describeStep(step) }))
  const last = path.at(-1)
  if (last === undefined) throw new RangeError('A related memory was reached without a link')
  return { relationType: last.relationType, direction: last.direction, hops: node.hop, path }
}

function pathTo(to: WalkedNode): { to: WalkedNode; step: Step }[] {
  return to.via === undefined ? [] : [...pathTo(to.via.from), { to, step: to.via }]
}

const describeStep = ({ relationType: relation, isLeaving }: Step) => ({
  relationType: relation,
  direction: isLeaving ? ('outgoing' as const) : ('incoming' as const),
})
