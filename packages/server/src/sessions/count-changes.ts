import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { countMessages, type Inbox } from '../messages/inbox-store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { findMark } from './mark-store.ts'
import { countChanged, maxChanges, type ChangeCount } from './ranked-store.ts'

export const changesRecord = z.looseObject({
  since: fields.timestamp,
  created: z.int().describe('Memories but for tasks.'),
  updated: z.int(),
  archived: z.int(),
  tasksChanged: z.int(),
  notesChanged: z.int(),
  messages: z.int().describe('Received in this vault.'),
  isPartial: z.boolean().describe('True where more has changed than was counted.'),
})

export type Changes = z.input<typeof changesRecord>

/** What has changed in the vault since this agent last began or saved a session there, this run left out; undefined where it never has. */
export async function countChanges(ctx: VaultContext, inbox: Inbox, run: string): Promise<Changes | undefined> {
  const { db, vault } = ctx
  const mark = await findMark(db.read, vault, inbox.reader.id, run)
  if (mark === undefined) return undefined
  const counts = await countChanged(db.read, vault, mark.seq, mark.at)
  const sum = (passes: (change: ChangeCount) => boolean) =>
    counts.filter((change) => passes(change)).reduce((total, { count }) => total + count, 0)
  const isMemory = ({ kind, type }: ChangeCount) => kind === 'memory' && type !== 'task'
  // What came in the very millisecond of the mark was told then.
  const filter = { status: 'all', box: 'received', since: mark.at + 1 } as const
  return {
    since: isoTime(mark.at),
    created: sum((change) => isMemory(change) && change.archived === 0 && change.isCreated === 1),
    updated: sum((change) => isMemory(change) && change.archived === 0 && change.isCreated === 0),
    archived: sum((change) => isMemory(change) && change.archived === 1),
    tasksChanged: sum(({ kind, type }) => kind === 'memory' && type === 'task'),
    notesChanged: sum(({ kind }) => kind === 'note'),
    messages: await countMessages(db.read, { ...inbox, vaultIds: [vault.id] }, filter),
    isPartial: sum(() => true) > maxChanges,
  }
}
