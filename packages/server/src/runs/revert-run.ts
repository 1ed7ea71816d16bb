import { z } from 'zod'
import { undoSupersede } from '../memories/related-memories.ts'
import type { VaultContext } from '../operation/context.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { nextSeq } from '../vaults/store.ts'
import {
  leftRecord,
  nameRecords,
  planRunRevert,
  type RunWrite,
  findKeepReason,
  isGoneAfterRevert,
} from './run-writes.ts'
import { archiveOrTrash } from './archive-or-trash.ts'

/** In one transaction. Trashing a note also removes its links. */
const recordsAtOnce = 50

export const revertRun = operation({
  name: 'revert-run',
  for: { person: 'POST /api/runs/revert' },
  vault: 'required',
  summary: `Revert what a run created, except records changed since, up to ${recordsAtOnce} records per call. Memories and tasks are archived, notes go to the trash, and memories that they superseded are restored.`,
  effect: 'destructive',
  changes: ['runs', 'memories', 'tasks', 'notes'],
  about: ({ id }) => refs('run', id),
  input: z.object({ ...ownVault, id: z.uuid().describe('The `id` of the run, from list-runs.') }),
  output: z.looseObject({
    archived: z.array(z.uuid()).describe('Memories and tasks that were archived.'),
    trashed: z.array(z.uuid()).describe('Notes that were moved to the trash.'),
    broughtBack: z.array(z.uuid()).describe('Memories that the archived ones had superseded, now live again.'),
    left: z.array(leftRecord).describe('Records that were changed just before they would have been reverted.'),
    remaining: z.int().describe('Number of records left for further calls.'),
  }),
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', id: '0198c5f0-0000-7000-8000-000000000401' },
    output: {
      archived: ['0198c5f0-0000-7000-8000-000000000101'],
      trashed: [],
      broughtBack: [],
      left: [],
      remaining: 0,
    },
  },
  async run({ id }, ctx) {
    const plan = await planRunRevert(ctx, id)
    const { due } = plan
    const gone = new Set([...due, ...plan.left].filter(isGoneAfterRevert).map((write) => write.id))
    const { left, ...done } = await revertSome(ctx, due.slice(0, recordsAtOnce), gone)
    return { ...done, left: await nameRecords(ctx, left), remaining: Math.max(0, due.length - recordsAtOnce) }
  },
})

interface Done {
  archived: string[]
  trashed: string[]
  broughtBack: string[]
  left: RunWrite[]
}

/** `gone`: all the run's records that are archived or trashed, before, in or after this call. */
async function revertSome(
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  writes: readonly RunWrite[],
  gone: ReadonlySet<string>,
): Promise<Done> {
  const done: Done = { archived: [], trashed: [], broughtBack: [], left: [] }
  if (writes.length === 0) return done
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    for (const write of writes) {
      const at = now()
      const taken = await archiveOrTrash(tx, vault, write, {
        seq,
        at,
        findKeepReason: (record) => findKeepReason(record, gone),
      })
      if (taken.left !== undefined) {
        done.left.push({ ...write, left: taken.left })
        continue
      }
      done[write.type === 'note' ? 'trashed' : 'archived'].push(write.id)
      const { supersedesId } = taken
      // Don't restore a memory that a later call will archive.
      if (gone.has(supersedesId ?? '')) continue
      const broughtBack = await undoSupersede(tx, vault, { seq, at }, { memoryId: write.id, supersedesId })
      if (broughtBack !== undefined) done.broughtBack.push(broughtBack)
    }
    return done
  })
}
