import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Tx } from '../db/dialect.ts'
import { findLink, removeLinks } from '../links/store.ts'
import type { Memory } from '../memories/memory.ts'
import type { Note } from '../notes/note.ts'
import { relinkNamed } from '../notes/link-notes.ts'
import type { Services } from '../operation/context.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { isGone, archiveOrTrash, type KeepReason, type Kept } from '../runs/archive-or-trash.ts'
import { nextSeq } from '../vaults/store.ts'
import {
  countImported,
  forgetImported,
  type ImportedRecord,
  insertReverted,
  listImported,
  markReverted,
} from './imported-store.ts'
import type { OpenVault } from './write-nodes.ts'
import { partMs } from './write-batch.ts'

/** Trashing a note also removes its links. */
const recordsAtOnce = 50

export const revertAnswer = z.looseObject({
  vaultId: z.uuid(),
  importId: z.uuid(),
  archived: z.int().describe('Memories and tasks that were archived.'),
  trashed: z.int().describe('Notes that were moved to the trash.'),
  removed: z.int().describe('Links that were removed.'),
  left: z
    .array(z.looseObject({ kind: z.string(), recordId: z.string(), reason: z.string() }))
    .describe('Records that stay unchanged, and why.'),
  remaining: z.int().describe('How many records are left for the next calls; 0 at the end.'),
})

export const revertImport = operation({
  name: 'revert-import',
  for: { person: 'POST /api/imports/revert' },
  vault: 'required',
  leastRole: 'owner',
  summary: `Undo an import, ${recordsAtOnce} records per call, except records that were changed since: memories are archived, notes moved to the trash, links removed. After the first call, nothing more is written under its id.`,
  effect: 'destructive',
  changes: ['memories', 'tasks', 'notes', 'links', 'messages', 'documents', 'runs'],
  about: ({ importId }) => refs('import', importId),
  input: z.object({
    ...ownVault,
    importId: z.uuid().describe('The id of the import.'),
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
  async run({ importId }, ctx) {
    // Webhooks get no events, as when the records were imported.
    const vault = { ...ctx.vault, isWatched: false }
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
    return { vaultId: vault.id, importId, ...counts, left, remaining }
  },
})

interface Counts {
  archived: number
  trashed: number
  removed: number
}

/** What happened to a record, or why it stays. */
type Taken = Pick<ImportedRecord, 'kind' | 'recordId'> & ({ done: keyof Counts } | { left: string })

/** One of several transactions, so other writes can run in between. */
async function revertPart(
  tx: Tx,
  { now }: Pick<Services, 'now'>,
  vault: OpenVault,
  { importId, limit }: { importId: string; limit: number },
): Promise<Taken[]> {
  const seq = await nextSeq(tx, vault)
  // Already with the first part: if a client is still sending the rest, half an import would remain.
  await markReverted(tx, vault, importId, now())
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
    await removeLinks(tx, vault, { seq, at }, [recordId])
    if (link.relationType === 'wiki_link') await relinkNamed(tx, vault, { seq, at }, link)
    return { done: 'removed' }
  }
  if (kind !== 'memory' && kind !== 'note') return { left: `a ${kind} cannot be undone` }
  const judge = (record: Memory | Note): Kept | undefined => {
    if (record.version !== version) return { left: 'changed' }
    return isGone(record) ? { left: 'gone' } : undefined
  }
  const taken = await archiveOrTrash(
    tx,
    vault,
    { type: kind, id: recordId },
    { seq, at, judgeMemory: judge, judgeNote: judge },
  )
  if (taken.left !== undefined) return { left: reasons[kind][taken.left] }
  await insertReverted(tx, vault, { recordId, version: taken.version })
  return { done: kind === 'memory' ? 'archived' : 'trashed' }
}

const reasons: Record<'memory' | 'note', Record<KeepReason, string>> = {
  memory: {
    deleted: 'was deleted before',
    gone: 'was archived already',
    changed: 'was changed since',
    moved: 'was changed since',
  },
  note: {
    deleted: 'was deleted before',
    gone: 'was in the trash already',
    changed: 'was changed since',
    moved: 'was changed since',
  },
}
