import { z } from 'zod'
import type { Tx } from '../db/dialect.ts'
import { putAway } from '../memories/put-away.ts'
import { findMemories } from '../memories/store.ts'
import { bringBackSuperseded } from '../memories/supersede.ts'
import { findNotes } from '../notes/store.ts'
import { trashNote } from '../notes/trash-note.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../operation/records.ts'
import { nextSeq } from '../vaults/store.ts'
import { isGone, whyLeft, whyNoteLeft, type RunWrite } from './find-run-writes.ts'
import { leftRecord, nameRecords, planRunRevert } from './plan-run-revert.ts'

/** In one transaction; a note takes its links with it. */
const recordsAtOnce = 50

export const revertRun = operation({
  name: 'revert-run',
  for: { person: 'POST /api/runs/revert' },
  vault: 'required',
  summary: `Take back what a run has made and nobody has changed since, ${recordsAtOnce} records at a call: memories and tasks are archived, notes trashed, and what they superseded holds again.`,
  effect: 'destructive',
  changes: ['runs', 'memories', 'tasks', 'notes'],
  about: ({ id }) => refs('run', id),
  input: z.object({ ...ownVault, id: z.uuid().describe('The run, by the `id` that browse-runs gives.') }),
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
    const gone = new Set([...due, ...plan.left].filter(isGone).map((write) => write.id))
    const { left, ...done } = await takeBack(ctx, due.slice(0, recordsAtOnce), gone)
    return { ...done, left: await nameRecords(ctx, left), remaining: Math.max(0, due.length - recordsAtOnce) }
  },
})

interface Done {
  archived: string[]
  trashed: string[]
  broughtBack: string[]
  left: RunWrite[]
}

/** `gone`: all of the run that goes, with this call, another one or already. */
async function takeBack(
  { db, vault, now }: PersonVaultContext,
  writes: readonly RunWrite[],
  gone: ReadonlySet<string>,
): Promise<Done> {
  const done: Done = { archived: [], trashed: [], broughtBack: [], left: [] }
  if (writes.length === 0) return done
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    for (const write of writes) {
      const left =
        write.type === 'note'
          ? await trash(tx, vault, seq, write.id, now(), done)
          : await archive(tx, vault, seq, write.id, now(), done, gone)
      if (left !== undefined) done.left.push({ ...write, left })
    }
    return done
  })
}

type Vault = PersonVaultContext['vault']

/** Why it is left after all, or undefined. */
async function archive(
  tx: Tx,
  vault: Vault,
  seq: number,
  id: string,
  at: number,
  done: Done,
  gone: ReadonlySet<string>,
) {
  const [memory] = await findMemories(tx, vault, [id])
  if (memory === undefined) return 'deleted'
  const left = whyLeft(memory, gone)
  if (left !== undefined) return left
  await putAway(tx, vault, seq, memory, { at, reason: undefined })
  done.archived.push(id)
  // What goes as well is not to hold again in between.
  if (gone.has(memory.supersedesId ?? '')) return undefined
  const broughtBack = await bringBackSuperseded(tx, vault, seq, memory, at)
  if (broughtBack !== undefined) done.broughtBack.push(broughtBack)
  return undefined
}

async function trash(tx: Tx, vault: Vault, seq: number, id: string, at: number, done: Done) {
  const [note] = await findNotes(tx, vault, [id])
  if (note === undefined) return 'deleted'
  const left = whyNoteLeft(note)
  if (left !== undefined) return left
  await trashNote(tx, vault, seq, note, at)
  done.trashed.push(id)
  return undefined
}
