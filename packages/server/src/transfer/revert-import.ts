import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Tx } from '../db/dialect.ts'
import { findLink, removeLinks } from '../links/store.ts'
import { putAway } from '../memories/put-away.ts'
import { findMemories } from '../memories/store.ts'
import { relinkNamed } from '../notes/link-notes.ts'
import { findNotes } from '../notes/store.ts'
import { trashNote } from '../notes/trash-note.ts'
import type { Services } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../operation/records.ts'
import { nextSeq } from '../vaults/store.ts'
import { countImported, forgetImported, listImported, type ImportedRecord, noteReverted } from './imported-store.ts'
import { openVault, type OpenVault } from './open-vault.ts'
import { insertReverted } from './reverted-store.ts'
import { partMs } from './write-batch.ts'

/** A note takes its links with it. */
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
      const part = await ctx.db.write((tx) => revertPart(tx, ctx, vault, importId, recordsAtOnce - taken.length))
      if (part.length === 0) break
      taken.push(...part)
      await nextTurn()
    }
    const remaining = await countImported(ctx.db.read, vault, importId)
    const count = (ending: string) => taken.filter(({ reason }) => reason === ending).length
    return {
      vaultId,
      importId,
      archived: count('archived'),
      trashed: count('trashed'),
      removed: count('removed'),
      left: taken.filter(({ reason }) => !endings.has(reason)),
      remaining,
    }
  },
})

/** `reason`: what became of it, or why it stays. */
type Taken = z.infer<typeof revertAnswer>['left'][number]

const endings = new Set(['archived', 'trashed', 'removed'])

/** As many transactions as it takes, as imports are written: others can write in between. */
async function revertPart(
  tx: Tx,
  { now }: Pick<Services, 'now'>,
  vault: OpenVault,
  importId: string,
  limit: number,
): Promise<Taken[]> {
  const seq = await nextSeq(tx, vault.userId, vault.id)
  // With the first part: whoever still sends the rest of it would leave half an import.
  await noteReverted(tx, vault, importId, now())
  const endAt = performance.now() + partMs
  const done: ImportedRecord[] = []
  const taken: Taken[] = []
  for (const record of await listImported(tx, vault, importId, limit)) {
    const { kind, recordId } = record
    taken.push({ kind, recordId, reason: await takeBack(tx, vault, seq, record, now()) })
    done.push(record)
    if (performance.now() > endAt) break
  }
  await forgetImported(tx, vault, importId, done)
  return taken
}

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
  const after = await putAway(tx, vault, seq, memory, { at, reason: undefined })
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
