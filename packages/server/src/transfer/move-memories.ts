import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { exampleMemory } from '../memories/memory.ts'
import { exampleIds, memoryIds } from '../memories/several.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { moveRecords, planMove } from './move-records.ts'
import { openVault } from './open-vault.ts'

const otherVaultId = '0198c5f0-0000-7000-8000-000000000002'

export const moveMemories = operation({
  name: 'move-memories',
  for: { person: 'POST /api/memories/move' },
  vault: 'required',
  summary:
    'Move memories, tasks too, into another of your vaults, all at once or none. They keep their ids, text, times and the links between each other; what joins them to something that stays is cut.',
  effect: 'destructive',
  changes: ['memories', 'tasks'],
  about: ({ ids }) => refs('memory', ids),
  input: z.object({
    ...ownVault,
    ids: memoryIds,
    targetVaultId: z.uuid().describe('The vault that they go to.'),
    dryRun: z.boolean().default(false).describe('Only tell what would be cut; nothing is written.'),
  }),
  output: z.looseObject({
    dryRun: z.boolean(),
    movedIds: z.array(z.uuid()).describe('What is moved, or would be.'),
    notFound: z.array(z.uuid()).describe('Ids that are no memories of this vault.'),
    keptLinks: z.int().describe('Links between two of them, which go along.'),
    cutLinks: z.int().describe('Links to what stays, which are removed.'),
    cutSources: z.int().describe('Notes that they name as their sources, which stay.'),
    taken: z
      .array(z.uuid())
      .describe(
        'Memories whose `externalWriteId` another record there has; while there are any, nothing can be moved.',
      ),
  }),
  examples: {
    input: { vaultId: exampleMemory.vaultId, ids: exampleIds, targetVaultId: otherVaultId },
    output: {
      dryRun: false,
      movedIds: exampleIds,
      notFound: [],
      keptLinks: 0,
      cutLinks: 1,
      cutSources: 0,
      taken: [],
    },
  },
  async run({ vaultId, ids, targetVaultId, dryRun }, ctx) {
    if (targetVaultId.toLowerCase() === ctx.vault.id) throw invalid({ targetVaultId: 'is the vault that they are in' })
    const moving = { ...ctx, from: await openVault(ctx, vaultId), to: await openVault(ctx, targetVaultId) }
    const asked = [...new Set(ids.map((id) => id.toLowerCase()))]
    const { memories, inner, outerIds, sources, taken } = dryRun
      ? await planMove(ctx.db.read, moving, asked)
      : await moveRecords(moving, asked)
    const moved = new Set(memories.map(({ memoryId }) => memoryId))
    if (!dryRun) ctx.news.note(ctx.actor.userId, moving.to.id, ['memories', 'tasks', 'links'])
    return {
      dryRun,
      movedIds: asked.filter((id) => moved.has(id)),
      notFound: asked.filter((id) => !moved.has(id)),
      keptLinks: inner.length,
      cutLinks: outerIds.length,
      cutSources: sources,
      taken,
    }
  },
})
