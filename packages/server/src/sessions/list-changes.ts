import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { countMessages, type Inbox } from '../messages/inbox-store.ts'
import type { AgentVaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { findMark } from './mark-store.ts'
import { listChanges, maxChanges } from './ranked-store.ts'

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

/** What has changed in the vault since this agent last began or saved a session there; undefined where it never has. */
export async function countChanges(ctx: AgentVaultContext, inbox: Inbox): Promise<Changes | undefined> {
  const { db, vault } = ctx
  const mark = await findMark(db.read, vault, inbox.reader.id)
  if (mark === undefined) return undefined
  const changed = await listChanges(db.read, vault, mark.seq)
  const rows = changed.slice(0, maxChanges)
  const memories = rows.filter(({ kind, type }) => kind === 'memory' && type !== 'task')
  const isCreated = (row: { createdAt: number }) => row.createdAt > mark.at
  const filter = { status: 'all', includeSent: false, since: mark.at } as const
  return {
    since: isoTime(mark.at),
    created: memories.filter((row) => row.archived === 0 && isCreated(row)).length,
    updated: memories.filter((row) => row.archived === 0 && !isCreated(row)).length,
    archived: memories.filter((row) => row.archived === 1).length,
    tasksChanged: rows.filter(({ kind, type }) => kind === 'memory' && type === 'task').length,
    notesChanged: rows.filter(({ kind }) => kind === 'note').length,
    messages: await countMessages(db.read, { ...inbox, vaultIds: [vault.id] }, filter),
    isPartial: changed.length > maxChanges,
  }
}
