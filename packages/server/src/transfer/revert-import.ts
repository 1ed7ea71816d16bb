import { z } from 'zod'
import type { Tx } from '../db/dialect.ts'
import { findLink, removeLinks } from '../links/store.ts'
import { archivedFact } from '../memories/index-memory.ts'
import { findMemories, updateMemory } from '../memories/store.ts'
import { relinkNamed } from '../notes/link-notes.ts'
import { findNotes } from '../notes/store.ts'
import { trashNote } from '../notes/trash-note.ts'
import { dashboardOperation } from '../operation/operation.ts'
import { updateEntry } from '../vault-index/store.ts'
import { nextSeq } from '../vaults/store.ts'
import { countImported, forgetImported, listImported, type ImportedRecord } from './imported-store.ts'
import { openVault, type OpenVault } from './open-vault.ts'
import { insertReverted } from './reverted-store.ts'

/** One transaction: a note takes its links with it. */
const recordsAtOnce = 50

export const revertAnswer = z.looseObject({
  vaultId: z.uuid(),
  importId: z.uuid(),
  archived: z.int().describe('Memories and tasks, archived now.'),
  trashed: z.int().describe('Notes, in the trash now.'),
  removed: z.int().describe('Links, removed now.'),
  left: z
    .array(z.looseObject({ kind: z.string(), recordId: z.string(), reason: z.string() }))
    .describe('What stays as it is.'),
  remaining: z.int().describe('How many records of the import the next call is about; 0 at the end.'),
})

export const revertImport = dashboardOperation({
  name: 'revert-import',
  method: 'POST',
  path: '/api/imports/revert',
  summary: `Take back what an import made and nobody has changed since, ${recordsAtOnce} records at a call: memories are archived, notes trashed, links removed.`,
  effect: 'destructive',
  input: z.object({
    vaultId: z.uuid().describe('The vault that was imported into.'),
    importId: z.uuid().describe('The id that the import was made under.'),
  }),
  output: revertAnswer,
  examples: {
    input: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      importId: '0198c5f0-0000-7000-8000-000000000901',
    },
    output: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      importId: '0198c5f0-0000-7000-8000-000000000901',
      archived: 12,
      trashed: 3,
      removed: 4,
      left: [{ kind: 'note', recordId: '0198c5f0-0000-7000-8000-000000000201', reason: 'was changed since' }],
      remaining: 0,
    },
  },
  async run({ vaultId, importId }, ctx) {
    const { db, now } = ctx
    const vault = await openVault(ctx, vaultId)
    return db.write(async (tx) => {
      const seq = await nextSeq(tx, vault.userId, vault.id)
      const records = await listImported(tx, vault, importId, recordsAtOnce)
      const counts = { archived: 0, trashed: 0, removed: 0 }
      const left = []
      for (const record of records) {
        const ending = await takeBack(tx, vault, seq, record, now())
        if (ending in counts) counts[ending as keyof typeof counts]++
        else left.push({ kind: record.kind, recordId: record.recordId, reason: ending })
      }
      await forgetImported(tx, vault, importId, records)
      return { vaultId, importId, ...counts, left, remaining: await countImported(tx, vault, importId) }
    })
  },
})

/** What became of the record, or why it stays. */
async function takeBack(
  tx: Tx,
  vault: OpenVault,
  seq: number,
  { kind, recordId, version }: ImportedRecord,
  at: number,
): Promise<string> {
  if (kind === 'link') {
    const link = await findLink(tx, vault, { linkId: recordId })
    if (link === undefined) return 'was removed before'
    await removeLinks(tx, vault, seq, [recordId], at)
    if (link.relationType === 'wiki_link') await relinkNamed(tx, vault, seq, link, at)
    return 'removed'
  }
  if (kind === 'memory') return archive(tx, vault, seq, recordId, version, at)
  if (kind === 'note') return trash(tx, vault, seq, recordId, version, at)
  return `a ${kind} is not taken back`
}

async function archive(tx: Tx, vault: OpenVault, seq: number, id: string, version: number, at: number) {
  const [memory] = await findMemories(tx, vault, [id])
  if (memory === undefined) return 'was deleted before'
  if (memory.version !== version) return 'was changed since'
  if (memory.archivedAt !== undefined) return 'was archived already'
  const after = { ...memory, archivedAt: at, version: version + 1, updatedAt: at }
  await updateMemory(tx, vault, after, { resealed: false })
  await updateEntry(tx, vault, id, seq, { archived: archivedFact(after) })
  await insertReverted(tx, vault, { recordId: id, version: after.version })
  return 'archived'
}

async function trash(tx: Tx, vault: OpenVault, seq: number, id: string, version: number, at: number) {
  const [before] = await findNotes(tx, vault, [id])
  if (before === undefined) return 'was deleted before'
  if (before.version !== version) return 'was changed since'
  if (before.trashedAt !== undefined) return 'was in the trash already'
  await trashNote(tx, vault, seq, before, at)
  await insertReverted(tx, vault, { recordId: id, version: before.version + 1 })
  return 'trashed'
}
