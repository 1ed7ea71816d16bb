import { z } from 'zod'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { listSuperseded } from '../memories/list-store.ts'
import { undoSupersede } from '../memories/related-memories.ts'
import type { PersonVaultContext, VaultContext } from '../operation/context.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { listOfRun, withdrawOfRun } from '../proposals/store.ts'
import { refs } from '../calls/records.ts'
import { requireRole } from '../vaults/shared-vault.ts'
import { nextSeq } from '../vaults/store.ts'
import { findTasks } from '../memories/task-store.ts'
import { archiveOrTrash } from './archive-or-trash.ts'
import { judgeCreatedMemory, judgeCreatedNote, type Left, type UndoneRun } from './judge-changes.ts'
import { examplePreview, keptChanges, listKept, previewRevert, revertPreview } from './preview-revert.ts'
import { undoRunRemoval } from './run-removals.ts'
import { undoRunSupersede } from './run-supersedes.ts'
import { restoreUpdate, type RestoreContext } from './run-updates.ts'
import {
  changedTypes,
  isGoneAfterRevert,
  leftRecord,
  maxShown,
  nameLeft,
  type NamingContext,
  planRunRevert,
  type RevertPlan,
  type RunChange,
  type RunWrite,
} from './run-writes.ts'

/** In one transaction. Trashing a note also removes its links. */
const recordsAtOnce = 50

const revertOutcome = z.looseObject({
  archived: z
    .array(z.uuid())
    .describe('Memories and tasks that were archived, or were already and hid what they superseded.'),
  trashed: z.array(z.uuid()).describe('Notes that were moved to the trash.'),
  broughtBack: z
    .array(z.uuid())
    .describe(
      'Memories that the archived ones, or the run by a change of an older one, had superseded, and memories and notes of people that the run had archived or moved to the trash: now live again.',
    ),
  restored: z
    .array(z.looseObject({ type: z.enum(changedTypes), id: z.uuid() }))
    .describe('Records that have the latest text again that the run did not write.'),
  left: z.array(leftRecord).describe('Records that were changed just before they would have been reverted.'),
  keptRecords: z
    .array(leftRecord)
    .describe(
      `Other records that the run created or changed and that are kept, with the reason: the latest ${maxShown}.`,
    ),
  keptCount: z.int().describe('Number of these other records.'),
  kept: keptChanges,
  remaining: z.int().describe('Number of records left for further calls.'),
  withdrawn: z
    .int()
    .describe('Number of changes that the run proposed and nobody had decided yet. They are withdrawn.'),
  dryRun: z.literal(false),
})

export const revertRun = operation({
  name: 'revert-run',
  for: { person: 'POST /api/runs/revert' },
  vault: 'required',
  // To preview it. Reverting needs more, see below.
  leastRole: 'viewer',
  summary: `Revert what a run wrote, except what someone else changed since, up to ${recordsAtOnce} records per call. Memories and tasks that it created are archived, notes go to the trash, and memories that they superseded are restored. Other records that it changed last get the latest text back that it did not write. What people wrote and it archived or trashed comes back. Its pending proposals are withdrawn. A dry run needs the role "viewer", everything else "editor".`,
  effect: 'destructive',
  changes: ['runs', 'memories', 'tasks', 'notes', 'documents'],
  isDryRun: ({ dryRun }) => dryRun,
  about: ({ id }) => refs('run', id),
  input: z.object({
    ...ownVault,
    id: z.uuid().describe('The `id` of the run, from list-runs.'),
    dryRun: z
      .boolean()
      .default(false)
      .describe('Change nothing, and return what would be reverted, in all calls together, and what would be kept.'),
  }),
  output: z.union([revertPreview, revertOutcome]),
  examples: {
    input: {
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      id: '0198c5f0-0000-7000-8000-000000000401',
      dryRun: true,
    },
    output: examplePreview,
  },
  async run({ id, dryRun }, ctx) {
    if (!dryRun) requireRole(ctx.vault, 'editor')
    const plan = await planRunRevert(ctx, id)
    return dryRun ? previewRevert(ctx, plan) : revert(ctx, plan)
  },
})

type RevertContext = RestoreContext & NamingContext & Pick<PersonVaultContext, 'createdKinds'>

async function revert(ctx: RevertContext, plan: RevertPlan): Promise<z.input<typeof revertOutcome>> {
  // Before what hides the same memories in another way, because undoing that forgets who archived them.
  const due = [...plan.removals, ...plan.due, ...plan.updates, ...plan.supersedes]
  const created = [...plan.due, ...plan.left].filter((change) => !('former' in change))
  const gone = new Set(created.filter(isGoneAfterRevert).map((write) => write.id))
  const own = new Set(created.map((write) => write.id))
  const { db, vault, now } = ctx
  const kept = listKept(ctx, plan, await listOfRun(db.read, vault, plan.run))
  const withdrawn = await db.write((tx) => withdrawOfRun(tx, vault, { run: plan.run, at: now() }))
  const { left, ...done } = await revertSome(ctx, due.slice(0, recordsAtOnce), { run: plan.run, own, gone })
  return {
    dryRun: false,
    ...done,
    left: await nameLeft(ctx, left),
    keptRecords: await nameLeft(ctx, plan.left),
    keptCount: plan.left.length,
    kept,
    remaining: Math.max(0, due.length - recordsAtOnce),
    withdrawn,
  }
}

interface Done {
  archived: string[]
  trashed: string[]
  broughtBack: string[]
  restored: Pick<RunChange, 'type' | 'id'>[]
  left: RunChange[]
}

const nothingDone = (): Done => ({ archived: [], trashed: [], broughtBack: [], restored: [], left: [] })

interface Reverting {
  run: UndoneRun
  /** All the run's records that are archived or trashed, before, in or after this call. */
  gone: ReadonlySet<string>
  /** All the run's records. */
  own: ReadonlySet<string>
}

async function revertSome(ctx: RestoreContext, changes: readonly RunChange[], reverting: Reverting): Promise<Done> {
  const { db, vault } = ctx
  if (changes.length === 0) return nothingDone()
  return db.write(async (tx) => {
    const done = nothingDone()
    const seq = await nextSeq(tx, vault)
    const superseded = await listHidden(tx, vault, changes, reverting)
    for (const change of changes) {
      if ('successorId' in change) {
        const broughtBack = await undoRunSupersede(tx, vault, { seq, at: ctx.now() }, change)
        if (broughtBack !== undefined) done.broughtBack.push(broughtBack)
        continue
      }
      if ('removedAt' in change) {
        const broughtBack = await undoRunRemoval(tx, vault, { seq, at: ctx.now(), run: reverting.run }, change)
        if (broughtBack !== undefined) done.broughtBack.push(broughtBack)
        continue
      }
      const left =
        'former' in change
          ? await restoreUpdate(tx, ctx, { seq, run: reverting.run }, change)
          : await takeBack(tx, ctx, { seq, ...reverting, done, superseded: superseded.get(change.id) ?? [] }, change)
      if (left !== undefined) done.left.push({ ...change, ...left })
      else if ('former' in change) done.restored.push({ type: change.type, id: change.id })
    }
    return done
  })
}

/** What these memories superseded, by their ids, without what is archived before, in or after this call. */
async function listHidden(
  tx: Tx,
  vault: VaultScope,
  changes: readonly RunChange[],
  { gone }: Pick<Reverting, 'gone'>,
): Promise<Map<string | null, { id: string }[]>> {
  const ids = changes.filter((change) => change.type === 'memory' && !('successorId' in change)).map(({ id }) => id)
  const hidden = (await listSuperseded(tx, vault, ids)).filter(({ id }) => !gone.has(id))
  return Map.groupBy(hidden, ({ supersededById }) => supersededById)
}

interface TakingBack extends Reverting {
  seq: number
  done: Done
  /** The memories that the record superseded and that come back. */
  superseded: readonly { id: string }[]
}

/** Archives or trashes a record, unless that was done before, and brings back what it superseded. Adds both to what is done. */
async function takeBack(
  tx: Tx,
  { vault, now }: Pick<VaultContext, 'vault' | 'now'>,
  { seq, run, own, gone, done, superseded }: TakingBack,
  write: RunWrite,
): Promise<Left | undefined> {
  const at = now()
  const taken = await archiveOrTrash(tx, vault, write, {
    seq,
    at,
    judgeMemory: async (memory) => {
      const task = (await findTasks(tx, vault, [memory.memoryId])).get(memory.memoryId)
      return judgeCreatedMemory(memory, run, { own, gone, task })
    },
    judgeNote: (note) => judgeCreatedNote(note, run),
  })
  if (taken.left !== undefined && (taken.left !== 'gone' || superseded.length === 0)) return taken
  done[write.type === 'note' ? 'trashed' : 'archived'].push(write.id)
  for (const { id: supersedesId } of superseded) {
    const broughtBack = await undoSupersede(tx, vault, { seq, at }, { memoryId: write.id, supersedesId })
    if (broughtBack !== undefined) done.broughtBack.push(broughtBack)
  }
  return undefined
}
