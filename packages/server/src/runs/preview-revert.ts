import { z } from 'zod'
import type { CallOutcome } from '../calls/call.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import { listOfRun, type Proposal } from '../proposals/store.ts'
import {
  leftRecord,
  maxShown,
  nameLeft,
  nameRecords,
  nameUpdates,
  returningRecord,
  shownRecord,
  type RevertPlan,
} from './run-writes.ts'
import { countOperations } from './run-call-store.ts'

export const keptChanges = z
  .array(z.looseObject({ operation: z.string(), count: z.int() }))
  .describe('Other changes by the run, which are kept. Covers the last 30 days.')

/** The answer to a dry run of `revert-run`. */
export const revertPreview = z.looseObject({
  matched: z
    .int()
    .describe(
      'Number of records that the run created and that nobody else has changed since, and of memories by which the same integration superseded these. They are archived or trashed, and what they superseded becomes active again, also if they are archived already.',
    ),
  records: z.array(shownRecord).describe(`The latest ${maxShown} of them.`),
  updated: z
    .int()
    .describe(
      'Number of records with a text by someone else that the run changed last. They get the latest such text back.',
    ),
  updates: z.array(returningRecord).describe(`The latest ${maxShown} of them.`),
  broughtBack: z
    .int()
    .describe(
      'Number of memories that the run superseded with memories from before it, and of memories and notes of people that it archived or moved to the trash. They become active again.',
    ),
  broughtBackRecords: z.array(shownRecord).describe(`The latest ${maxShown} of them.`),
  left: z
    .array(leftRecord)
    .describe(`The latest ${maxShown} records that the run created or changed and that are kept, with the reason.`),
  leftCount: z.int(),
  proposals: z
    .int()
    .describe('Number of changes that the run proposed and nobody has decided yet. They are withdrawn.'),
  kept: keptChanges,
  dryRun: z.literal(true),
})

export const examplePreview: z.input<typeof revertPreview> = {
  dryRun: true,
  matched: 1,
  records: [
    {
      type: 'memory',
      id: '0198c5f0-0000-7000-8000-000000000101',
      title: 'The user prefers tabs over spaces in Go code.',
    },
  ],
  updated: 1,
  updates: [
    {
      type: 'note',
      id: '0198c5f0-0000-7000-8000-000000000201',
      title: 'Deploying Holdfast',
      returnsTo: {
        version: 2,
        writtenBy: { integrationId: null, agentId: 'user', route: 'update-note', at: '2026-11-21T09:00:00.000Z' },
        preview: 'Back up first, then pull the new image.',
      },
    },
  ],
  broughtBack: 0,
  broughtBackRecords: [],
  left: [],
  leftCount: 0,
  proposals: 0,
  kept: [{ operation: 'send-message', count: 1 }],
}

/** What reverting a run would revert, and what it would keep. */
export async function previewRevert(
  ctx: Pick<PersonVaultContext, 'db' | 'vault' | 'now' | 'actor' | 'instance' | 'createdKinds'>,
  plan: RevertPlan,
): Promise<z.input<typeof revertPreview>> {
  const { due, updates, left } = plan
  const broughtBack = [...plan.supersedes, ...plan.removals.filter(({ isSuperseded }) => !isSuperseded)]
  const proposals = await listOfRun(ctx.db.read, ctx.vault, plan.run)
  return {
    dryRun: true,
    matched: due.length,
    records: await nameRecords(ctx, due),
    updated: updates.length,
    updates: await nameUpdates(ctx, updates),
    broughtBack: broughtBack.length,
    broughtBackRecords: await nameRecords(ctx, broughtBack),
    left: await nameLeft(ctx, left),
    leftCount: left.length,
    proposals: proposals.filter(({ status }) => status === 'pending').length,
    kept: listKept(ctx, plan, proposals),
  }
}

/** Changes that are neither undone nor listed with a reason. */
export function listKept(
  { createdKinds }: Pick<PersonVaultContext, 'createdKinds'>,
  plan: RevertPlan,
  proposals: readonly Pick<Proposal, 'recordId' | 'status'>[],
) {
  const notMade = proposals.filter(({ status }) => status !== 'accepted').map(({ recordId }) => recordId)
  const isListed = makeIsListed(plan, new Set(notMade))
  return countOperations(plan.calls.filter((call) => !isListed(call)))
    .filter((counted) => counted.isWrite && counted.done > 0 && !createdKinds.has(counted.operation))
    .map((counted) => ({ operation: counted.operation, count: counted.done }))
}

/** The operations whose changes of existing records are undone completely. A task keeps its status and its assignee. */
const undone: ReadonlySet<string> = new Set(['update-memory', 'update-note'])

/** The operations that change nothing if their change is only proposed. */
const onlyProposed: ReadonlySet<string> = new Set([...undone, 'archive-memory', 'delete-note'])

/** The operations that only remove records. */
const removing: ReadonlySet<string> = new Set(['archive-memory', 'cleanup-memories', 'delete-note'])

/** Whether the plan lists all that a call changed. Whatever happened to a record that the run created, that record is listed. */
function makeIsListed(
  { due, updates, supersedes, removals, left }: RevertPlan,
  /** The records of changes that were proposed and not made. */
  proposedIds: ReadonlySet<string>,
): (call: CallOutcome) => boolean {
  const all = [...due, ...updates, ...left]
  const ids = new Set([...all.map(({ id }) => id), ...supersedes.map(({ successorId }) => successorId)])
  const createdIds = new Set(all.filter((change) => !('former' in change)).map(({ id }) => id))
  const removedIds = new Set([...createdIds, ...removals.map(({ id }) => id)])
  const hasDocuments = all.some(({ type }) => type === 'document')
  return ({ operation: name, records, recordCount }) => {
    // Calls don't keep which document they changed.
    if (name === 'update-document') return hasDocuments
    const listed = undone.has(name) ? ids : removing.has(name) ? removedIds : createdIds
    const isKnown = (id: string) => listed.has(id) || (onlyProposed.has(name) && proposedIds.has(id))
    return records.length > 0 && records.length === recordCount && records.every(({ id }) => isKnown(id))
  }
}
