import { z } from 'zod'
import { bringBackSuperseded } from '../memories/related-memories.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { nextSeq } from '../vaults/store.ts'
import { leftRecord, nameRecords, planRunRevert, type RunWrite, whyLeft, willBeGone } from './run-writes.ts'
import { takeBack } from './take-back.ts'

/** In one transaction. Trashing a note also removes its links. */
const recordsAtOnce = 50

export const revertRun = operation({
  name: 'revert-run',
  for: { person: 'POST /api/runs/revert' },
  vault: 'required',
  summary: `Take back what a run has made and nobody has changed since, ${recordsAtOnce} records at a call: memories and tasks are archived, notes trashed, and what they superseded holds again.`,
  effect: 'destructive',
  changes: ['runs', 'memories', 'tasks', 'notes'],
  about: ({ id }) => refs('run', id),
  input: z.object({ ...ownVault, id: z.uuid().describe('The run, by the `id` that list-runs gives.') }),
  output: z.looseObject({
    archived: z.array(z.uuid()).describe('Memories and tasks that are archived now.'),
    trashed: z.array(z.uuid()).describe('Notes that are in the trash now.'),
    broughtBack: z.array(z.uuid()).describe('What the archived memories had superseded: it holds again.'),
    left: z.array(leftRecord).describe('What somebody has changed just before it was to be taken back.'),
    remaining: z.int().describe('How many are left for further calls.'),
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
    const gone = new Set([...due, ...plan.left].filter(willBeGone).map((write) => write.id))
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

/** `gone`: all of the run's records that go, in this call, in another one or already. */
async function revertSome(
  { db, vault, now }: PersonVaultContext,
  writes: readonly RunWrite[],
  gone: ReadonlySet<string>,
): Promise<Done> {
  const done: Done = { archived: [], trashed: [], broughtBack: [], left: [] }
  if (writes.length === 0) return done
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    for (const write of writes) {
      const at = now()
      const taken = await takeBack(tx, vault, write, { seq, at, whyLeft: (record) => whyLeft(record, gone) })
      if (taken.left !== undefined) {
        done.left.push({ ...write, left: taken.left })
        continue
      }
      done[write.type === 'note' ? 'trashed' : 'archived'].push(write.id)
      const { supersedesId } = taken
      // A memory that goes with the run must not be brought back in between.
      if (gone.has(supersedesId ?? '')) continue
      const broughtBack = await bringBackSuperseded(tx, vault, seq, { memoryId: write.id, supersedesId }, at)
      if (broughtBack !== undefined) done.broughtBack.push(broughtBack)
    }
    return done
  })
}
