import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import { exampleMemory } from '../memories/memory.ts'
import { exampleIds, memoryIds } from '../memories/bulk-changes.ts'
import type { PersonContext } from '../operation/context.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { findVaultKeys } from '../vaults/store.ts'
import { moveRecords, planMove } from './move-records.ts'
import type { OpenVault } from './write-nodes.ts'

const otherVaultId = '0198c5f0-0000-7000-8000-000000000002'

export const moveMemories = operation({
  name: 'move-memories',
  for: { person: 'POST /api/memories/move' },
  vault: 'required',
  leastRole: 'owner',
  summary:
    'Move memories and tasks to another of your vaults, either all of them or none. They keep their ids, texts, times and the links between them; links to records that stay behind are removed.',
  effect: 'destructive',
  changes: ['memories', 'tasks'],
  isDryRun: ({ dryRun }) => dryRun,
  errors: ['conflict'],
  input: z.object({
    ...ownVault,
    ids: memoryIds,
    targetVaultId: z.uuid().describe('The target vault.'),
    dryRun: z.boolean().default(false).describe('Write nothing, and return what would be removed.'),
  }),
  output: z.looseObject({
    dryRun: z.boolean(),
    movedIds: z.array(z.uuid()).describe('The memories that were moved, or would be.'),
    notFound: z.array(z.uuid()).describe('Ids that match no memory of this vault.'),
    keptLinks: z.int().describe('Links between the moved memories, which are kept.'),
    cutLinks: z.int().describe('Links to other records, which are removed.'),
    cutSources: z.int().describe('Source notes, which stay behind.'),
    taken: z
      .array(z.uuid())
      .describe(
        'Memories whose `externalWriteId` already exists in the target vault. Nothing is moved unless you leave them out.',
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
  async run({ ids, targetVaultId, dryRun }, ctx) {
    if (targetVaultId.toLowerCase() === ctx.vault.id) throw invalid({ targetVaultId: 'is the vault they are in' })
    const moving = { ...ctx, from: ctx.vault, to: await openVault(ctx, targetVaultId) }
    const asked = [...new Set(ids.map((id) => id.toLowerCase()))]
    const { memories, inner, outerIds, sources, taken } = dryRun
      ? await planMove(ctx.db.read, moving, asked)
      : await moveRecords(moving, asked)
    const moved = new Set(memories.map(({ memoryId }) => memoryId))
    if (!dryRun) ctx.news.announce(ctx.actor.userId, moving.to.id, ['memories', 'tasks', 'links'])
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

/** The target vault with its keys; 404 if it isn't the person's. */
async function openVault(
  { actor, db, keyring, mek }: Pick<PersonContext, 'actor' | 'db' | 'keyring' | 'mek'>,
  vaultId: string,
): Promise<OpenVault> {
  const found = await findVaultKeys(db.read, actor.userId, vaultId)
  if (found === undefined) throw notFound('Vault')
  const keys = keyring.vault(mek, actor.userId, vaultId, found.keys)
  const { seq, settings, isWatched } = found
  return { id: vaultId, userId: actor.userId, keys, settings, seq, isWatched }
}
