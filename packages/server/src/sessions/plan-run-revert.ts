import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { describeNodes } from '../graph/nodes.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import type { CallOutcome } from '../calls/call.ts'
import { findRunWrites, type RunWrite } from './find-run-writes.ts'
import { readRunCalls } from './run-call-store.ts'
import { findRun } from './run-list-store.ts'
import type { LeftReason } from './take-back.ts'

/** What taking back a run comes to: what goes, what stays, and what each is called. */

export interface RevertPlan {
  /** That nobody has changed since, the latest first. */
  due: RunWrite[]
  left: RunWrite[]
  calls: CallOutcome[]
}

export async function planRunRevert(ctx: PersonVaultContext, runId: string): Promise<RevertPlan> {
  const { db, vault, runs } = ctx
  await runs.flush(vault.id)
  const run = await findRun(db.read, vault, runId)
  if (run === undefined) throw notFound('Run')
  const calls = await readRunCalls(db.read, vault, runId)
  const writes = await findRunWrites(ctx, run, calls)
  return {
    due: writes.filter(({ left }) => left === undefined),
    left: writes.filter(({ left }) => left !== undefined),
    calls,
  }
}

export const maxShown = 50

const reasons: Record<LeftReason, string> = {
  deleted: 'deleted',
  gone: 'archived or in the trash already',
  changed: 'changed since it was written',
}

export const shownRecord = z.looseObject({ type: z.enum(['memory', 'note']), id: z.uuid(), title: z.string() })
export const leftRecord = shownRecord.extend({ reason: z.string() })

/** The first of them, with what they are called. */
export async function nameRecords({ db, vault, now }: PersonVaultContext, writes: readonly RunWrite[]) {
  const shown = writes.slice(0, maxShown)
  const nodes = await describeNodes(db.read, vault, shown, now())
  return shown.map(({ type, id, left }) => ({
    type,
    id,
    title: nodes.get(id)?.title ?? '',
    reason: left === undefined ? '' : reasons[left],
  }))
}
