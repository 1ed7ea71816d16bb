import { z } from 'zod'
import { nodeLink, readNodeLinks } from '../graph/node-links.ts'
import { describeNodes } from '../graph/nodes.ts'
import { listChain } from '../memories/chain-store.ts'
import { exampleListed, listedMemory } from '../memories/listed-memory.ts'
import { memorySorts } from '../memories/list-store.ts'
import { exampleMemory, memoryRecord, memoryTypes } from '../memories/memory.ts'
import { readRecord } from '../memories/read-record.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { degradedLegs } from '../search/search-vault.ts'
import { listMemories } from './list-memories.ts'

const input = z.object({
  ...fields.ownVault,
  id: fields.memoryId.optional().describe('Only this one, whole, as `memory`, with its links and what it superseded.'),
  q: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Only what a search for this finds: at most 100, the best first unless `sort` says otherwise.'),
  type: z
    .array(z.enum(memoryTypes))
    .max(memoryTypes.length)
    .optional()
    .describe('Only memories of this type; repeated, of any of these.'),
  importanceMin: fields.importance.optional().describe('Only memories of this importance or more.'),
  agent: fields.agentName.optional().describe('Only what this agent wrote, as it is called; people write as "user".'),
  entity: z.string().min(1).max(200).optional().describe('Only memories that name this entity.'),
  state: z
    .enum(['live', 'archived', 'all'])
    .default('live')
    .describe('Which memories: those that search finds, archived ones, or all, superseded and expired ones included.'),
  neverRecalled: z.boolean().optional().describe('Only memories that no agent has ever read or found.'),
  contradicts: z.boolean().optional().describe('Only memories with a link that says that they contradict another.'),
  runId: fields.agentRunId.optional().describe('Only memories of this run.'),
  createdFrom: fields.timestamp.optional().describe('Only memories stored at or after this moment.'),
  createdTo: fields.timestamp.optional().describe('Only memories stored before this moment.'),
  sort: z
    .enum(memorySorts)
    .optional()
    .meta({ default: 'newest' })
    .describe('What comes first: `updated` last changed, `recalled` last read or found by an agent.'),
  limit: fields.limit,
  offset: fields.offset,
})

const chained = z.looseObject({
  memoryId: z.uuid(),
  title: z.string().describe('Its summary or first line, at most 200 characters.'),
  live: z.boolean(),
})

const maxLinks = 50
const maxChained = 20

export const browseMemories = operation({
  name: 'browse-memories',
  for: { person: 'GET /api/memories' },
  vault: 'required',
  summary:
    'The memories of a vault, the newest first, or the one with an id. That you look at them counts as no recall.',
  effect: 'read',
  outdatedBy: ['memories', 'links'],
  about: ({ id }) => refs('memory', id),
  input,
  output: z.union([
    z.looseObject({
      memories: z.array(listedMemory),
      degraded: degradedLegs.optional().describe('With `q`: parts of the search that could not run fully, and why.'),
      ...page,
    }),
    z.looseObject({
      memory: memoryRecord,
      links: z.array(nodeLink).describe('The newest 50.'),
      linkCount: z.int(),
      chain: z
        .array(chained)
        .describe('With what it superseded and what superseded it, itself included: the newest 20, newest first.'),
      chainCount: z.int(),
    }),
  ]),
  examples: {
    input: { vaultId: exampleMemory.vaultId, importanceMin: 4 },
    output: { memories: [exampleListed], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ id, ...request }, ctx) {
    if (id !== undefined) return readOne(ctx, id)
    const { total, ...found } = await listMemories(ctx, request)
    return { ...found, ...pageOf(request, total) }
  },
})

async function readOne(ctx: VaultContext, id: string) {
  const { db, vault, now } = ctx
  const memory = await readRecord(ctx, id)
  const { links, total } = await readNodeLinks(ctx, id, { direction: 'both', limit: maxLinks, offset: 0 })
  const ids = await listChain(db.read, vault, id)
  const shown = ids.slice(0, maxChained).map((each) => ({ type: 'memory' as const, id: each }))
  const nodes = await describeNodes(db.read, vault, shown, now())
  return {
    memory,
    links,
    linkCount: total,
    chain: shown.flatMap(({ id: memoryId }) => {
      const node = nodes.get(memoryId)
      return node === undefined ? [] : [{ memoryId, title: node.title, live: node.isLive }]
    }),
    chainCount: ids.length,
  }
}
