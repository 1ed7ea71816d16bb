import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Tx } from '../db/dialect.ts'
import { findLink, removeLinks } from '../links/store.ts'
import { relinkNamed } from '../notes/link-notes.ts'
import type { Services } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { isGone, takeBack, type LeftReason, type RecordState } from '../runs/take-back.ts'
import { nextSeq } from '../vaults/store.ts'
import { countImported, forgetImported, listImported, type ImportedRecord, noteReverted } from './imported-store.ts'
import { openVault, type OpenVault } from './open-vault.ts'
import { insertReverted } from './reverted-store.ts'
import { partMs } from './write-batch.ts'

/** Trashing a note also removes its links. */
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

export const revertImport = operation({
  name: 'revert-import',
  for: { person: 'POST /api/imports/revert' },
  summary: `Take back what an import made and nobody has changed since, ${recordsAtOnce} records at a call: memories are archived, notes trashed, links removed. From the first call on nothing more is written under its id.`,
  effect: 'destructive',
  changes: ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs'],
  about: ({ importId }) => refs('import', importId),
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
    const vault = await openVault(ctx, vaultId)
    const taken: Taken[] = []
    while (taken.length < recordsAtOnce) {
      const limit = recordsAtOnce - taken.length
      const part = await ctx.db.write((tx) => revertPart(tx, ctx, vault, { importId, limit }))
      if (part.length === 0) break
      taken.push(...part)
      await nextTurn()
    }
    const remaining = await countImported(ctx.db.read, vault, importId)
    const counts: Counts = { archived: 0, trashed: 0, removed: 0 }
    for (const one of taken) if ('done' in one) counts[one.done]++
    const left = taken.flatMap((one) =>
      'left' in one ? [{ kind: one.kind, recordId: one.recordId, reason: one.left }] : [],
    )
    return { vaultId, importId, ...counts, left, remaining }
  },
})

interface Counts {
  archived: number
  trashed: number
  removed: number
}

/** What became of a record, or why it stays. */
type Taken = Pick<ImportedRecord, 'kind' | 'recordId'> & ({ done: keyof Counts } | { left: string })

/** As many transactions as it takes, as for the import itself: other writes come in between. */
async function revertPart(
  tx: Tx,
  { now }: Pick<Services, 'now'>,
  vault: OpenVault,
  { importId, limit }: { importId: string; limit: number },
): Promise<Taken[]> {
  const seq = await nextSeq(tx, vault.userId, vault.id)
  // With the first part: a client that still sends the rest would leave half an import.
  await noteReverted(tx, vault, importId, now())
  const endAt = performance.now() + partMs
  const done: ImportedRecord[] = []
  const taken: Taken[] = []
  for (const record of await listImported(tx, vault, importId, limit)) {
    const { kind, recordId } = record
    taken.push({ kind, recordId, ...(await revertRecord(tx, vault, record, { seq, at: now() })) })
    done.push(record)
    if (performance.now() > endAt) break
  }
  await forgetImported(tx, vault, importId, done)
  return taken
}

async function revertRecord(
  tx: Tx,
  vault: OpenVault,
  { kind, recordId, version }: ImportedRecord,
  { seq, at }: { seq: number; at: number },
): Promise<{ done: keyof Counts } | { left: string }> {
  if (kind === 'link') {
    const link = await findLink(tx, vault, { linkId: recordId })
    if (link === undefined) return { left: 'was removed before' }
    await removeLinks(tx, vault, seq, [recordId], at)
    if (link.relationType === 'wiki_link') await relinkNamed(tx, vault, seq, link, at)
    return { done: 'removed' }
  }
  if (kind !== 'memory' && kind !== 'note') return { left: `a ${kind} is not taken back` }
  const whyLeft = (record: RecordState) =>
    record.version === version ? (isGone(record) ? 'gone' : undefined) : 'changed'
  const taken = await takeBack(tx, vault, { type: kind, id: recordId }, { seq, at, whyLeft })
  if (taken.left !== undefined) return { left: reasons[kind][taken.left] }
  await insertReverted(tx, vault, { recordId, version: taken.version })
  return { done: kind === 'memory' ? 'archived' : 'trashed' }
}

const reasons: Record<'memory' | 'note', Record<LeftReason, string>> = {
  memory: { deleted: 'was deleted before', gone: 'was archived already', changed: 'was changed since' },
  note: { deleted: 'was deleted before', gone: 'was in the trash already', changed: 'was changed since' },
}
