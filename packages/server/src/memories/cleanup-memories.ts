import { z } from 'zod'
import { invalid, missingScope } from '../core/errors.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { nextSeq } from '../vaults/store.ts'
import { isFilter, selectForCleanup, type Selection, stillChosen } from './select-for-cleanup.ts'
import { archiveAll } from './cleanup-store.ts'
import { memoryTypes } from './memory.ts'

const days = z.int().min(0).max(36_500)

const input = z.object({
  olderThanDays: days.optional().describe('Only memories not changed for this many days.'),
  maxImportance: fields.importance.optional().describe('Only memories of this importance or lower.'),
  maxConfidence: fields.importance.optional().describe('Only memories of this confidence or lower.'),
  memoryTypes: z
    .array(z.enum(memoryTypes))
    .max(memoryTypes.length)
    .optional()
    .describe('Only memories of these types.'),
  notAccessedSinceDays: days.optional().describe('Only memories not read for this many days.'),
  includeExpired: z
    .boolean()
    .default(false)
    .describe('Also match expired memories. Without another filter, match only those.'),
  duplicatesOnly: z
    .boolean()
    .default(false)
    .describe('Only memories that match the other filters and say the same as an older one. Tasks are not compared.'),
  afterMemoryId: z
    .uuid()
    .optional()
    .describe('Continue after this memory: the `nextAfter` of the previous answer. Memories are ordered oldest first.'),
  limit: z.int().min(1).max(500).default(100).describe('Maximum number to archive, oldest first; 1 to 500.'),
  dryRun: z.boolean().default(true).describe('true: only return what would be archived. false: archive it.'),
  force: z
    .boolean()
    .default(false)
    .describe(
      'Archive protected memories too, except those that the integration may not change. Needs the admin permission in this vault.',
    ),
  ...fields.inVault,
})

export const cleanupMemories = operation({
  name: 'cleanup-memories',
  for: { agent: { toolset: 'memory', scopes: ['write'] } },
  vault: 'resolved',
  summary:
    'Archive memories in bulk, by one or more filters, all of which must match. Importance 5, constraints, corrections, open tasks, the sources of other memories, and what the integration may not change are protected.',
  effect: 'destructive',
  changes: ['memories', 'tasks'],
  isDryRun: ({ dryRun }) => dryRun,
  needs: [
    ['olderThanDays'],
    ['maxImportance'],
    ['maxConfidence'],
    ['memoryTypes'],
    ['notAccessedSinceDays'],
    ['includeExpired'],
    ['duplicatesOnly'],
  ],
  input,
  output: z.looseObject({
    dryRun: z.boolean(),
    matched: z
      .int()
      .describe('How many memories match the filters, including protected ones and ones beyond the limit.'),
    archived: z.int(),
    skippedProtected: z.int().describe('How many matches were skipped because they are protected.'),
    memoryIds: z.array(z.uuid()).describe('What was archived, or would be.'),
    vaultId: z.uuid(),
    nextAfter: z.uuid().optional().describe('Set if comparing stopped early: send it as `afterMemoryId` to continue.'),
    hint: z.string().optional().describe('What to do next.'),
  }),
  returns: ({ memoryIds }) => refs('memory', memoryIds),
  examples: {
    input: { olderThanDays: 180, maxImportance: 2 },
    output: {
      dryRun: true,
      matched: 2,
      archived: 0,
      skippedProtected: 1,
      memoryIds: ['0198c5f0-0000-7000-8000-000000000101'],
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      hint: 'Nothing was archived yet. To archive, send the same request with dryRun false.',
    },
  },
  async run(request, ctx) {
    const { db, vault, now } = ctx
    const { dryRun, force, limit } = request
    if (!isFilter(request)) throw invalid({ '': 'give at least one filter, such as olderThanDays or maxImportance' })
    if (force && !vault.scopes.includes('admin')) throw missingScope('admin')
    const selection = await selectForCleanup(ctx, request, { limit, force, thresholds: openSettings(vault).dedup })
    const archivedIds = dryRun
      ? []
      : await db.write(async (tx) => {
          const seq = await nextSeq(tx, vault)
          const ids = await stillChosen(tx, vault, selection.chosen, force)
          const personsIds = ids.filter((id) => selection.personsIds.has(id))
          await archiveAll(tx, vault, { seq, at: now() }, { ids, personsIds, byId: ctx.actor.integrationId })
          ctx.about('memory', ids)
          return ids
        })
    return {
      dryRun,
      matched: selection.matched,
      archived: archivedIds.length,
      skippedProtected: selection.skippedProtected,
      memoryIds: dryRun ? selection.chosen.map(({ id }) => id) : archivedIds,
      vaultId: vault.id,
      ...(selection.comparedUpTo !== undefined && { nextAfter: selection.comparedUpTo }),
      ...hintOf(selection, { dryRun, limit }),
    }
  },
})

function hintOf(
  { matched, chosen, skippedProtected, comparedUpTo }: Selection,
  { dryRun, limit }: { dryRun: boolean; limit: number },
) {
  const hints = [
    dryRun && chosen.length > 0 && 'Nothing was archived yet. To archive, send the same request with dryRun false.',
    comparedUpTo !== undefined && 'Not all memories were compared yet. To continue, send nextAfter as afterMemoryId.',
    comparedUpTo === undefined &&
      chosen.length === limit &&
      matched > chosen.length + skippedProtected &&
      'More memories match. Call again after these are archived.',
  ].filter((hint) => hint !== false)
  return hints.length === 0 ? {} : { hint: hints.join(' ') }
}
