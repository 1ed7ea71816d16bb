import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { changeMemory } from '../memories/change-memory.ts'
import { titleOf, type Memory } from '../memories/memory.ts'
import { undoSupersede } from '../memories/related-memories.ts'
import { getMemory, updateMemory } from '../memories/store.ts'
import { refuseOtherVersion, storeChange } from '../memories/update-memory.ts'
import type { NoteOutline } from '../notes/note.ts'
import { findOutlines } from '../notes/store.ts'
import { personChanging, saveNoteChange, type NoteUpdateContext } from '../notes/update-note.ts'
import { writerOf, type WriterContext } from '../operation/claimed-agent.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import * as fields from '../operation/fields.ts'
import type { Writer } from '../operation/writer.ts'
import { nextSeq } from '../vaults/store.ts'
import { keepRemoved } from './removed-store.ts'
import type { KeepUndo, RestoreUndo } from './undo-decision.ts'

/** How an agent removed what a person wrote, and bringing it back. */

export const removal = z
  .looseObject({
    how: z.enum(['archived', 'superseded', 'expired', 'trashed']),
    recordType: z.enum(['memory', 'note']),
    recordId: z.uuid(),
    title: z.string(),
    version: z.int(),
    integrationId: z.uuid().describe('The integration that did it.'),
    at: fields.timestamp.describe('When searches stopped finding it.'),
    reason: z.string().nullable().describe('Why, if the agent said so.'),
    successor: z.looseObject({ memoryId: z.uuid(), title: z.string() }).nullable().describe('What superseded it.'),
  })
  .meta({ id: 'Removal' })

export function describeRemoval(memory: Memory, successor: Memory | undefined, now: number): z.input<typeof removal> {
  const { supersededById, expiresAt = Infinity, archivedAt, updatedAt, removedById = '', head } = memory
  const hasExpired = expiresAt <= Math.min(now, archivedAt ?? Infinity)
  const how = supersededById !== undefined ? 'superseded' : hasExpired ? 'expired' : 'archived'
  return {
    how,
    recordType: 'memory',
    recordId: memory.memoryId,
    title: titleOf(memory),
    version: memory.version,
    integrationId: removedById,
    at: isoTime(how === 'expired' ? expiredAt(memory, expiresAt) : (archivedAt ?? updatedAt)),
    reason: head.archiveReason ?? null,
    successor: successor === undefined ? null : { memoryId: successor.memoryId, title: titleOf(successor) },
  }
}

/** The date that an agent sets can have passed already: then searches found it until the agent did that. */
const expiredAt = ({ head: { endSetAt = 0 } }: Memory, expiresAt: number): number => Math.max(expiresAt, endSetAt)

export const describeTrashed = (note: NoteOutline): z.input<typeof removal> => ({
  how: 'trashed',
  recordType: 'note',
  recordId: note.noteId,
  title: note.head.title,
  version: note.version,
  integrationId: note.removedById ?? '',
  at: isoTime(note.trashedAt ?? note.updatedAt),
  reason: null,
  successor: null,
})

/** Restores a memory or a note, or leaves it removed without a further review. 404 if there is neither. Returns how to undo that. */
export async function decideRemoval(
  ctx: NoteUpdateContext & WriterContext & Pick<PersonVaultContext, 'about'>,
  { id, isRestored, expectedVersion }: { id: string; isRestored: boolean; expectedVersion: number | undefined },
): Promise<KeepUndo | RestoreUndo | undefined> {
  const { db, vault } = ctx
  const done = await db.write(async (tx): Promise<KeepUndo | RestoreUndo | undefined> => {
    const seq = await nextSeq(tx, vault)
    const [note] = await findOutlines(tx, vault, [id])
    if (note === undefined) {
      const memory = await getMemory(tx, vault, id)
      ctx.about('memory', id)
      refuseOtherVersion({ expectedVersion }, memory)
      if (isRestored) return restoreMemory(tx, vault, { seq, by: writerOf(ctx) }, memory)
      await keepRemoved(tx, vault, 'memory', id)
      return describeKeep('memory', id, memory)
    }
    ctx.about('note', id)
    const { removedById, version } = note
    if (isRestored) return { did: 'restore', type: 'note', id, version, removedById }
    await keepRemoved(tx, vault, 'note', id)
    return describeKeep('note', id, note)
  })
  if (done?.did !== 'restore' || done.type === 'memory') return done
  const change = { noteId: id, mode: 'replace', trashed: false, expectedVersion } as const
  const { note } = await saveNoteChange(ctx, change, personChanging(ctx))
  return { ...done, version: note.version }
}

const describeKeep = (
  type: KeepUndo['type'],
  id: string,
  { version, removedById }: Pick<Memory, 'version' | 'removedById'>,
): KeepUndo | undefined =>
  removedById === undefined ? undefined : { did: 'keep removed', type, id, version, removedById }

/** Makes a memory live again that an agent archived, superseded or let expire. What superseded it stays, as a memory of its own. */
async function restoreMemory(
  tx: Tx,
  scope: VaultScope,
  { seq, by }: { seq: number; by: Writer },
  memory: Memory,
): Promise<RestoreUndo> {
  const { memoryId, supersededById, head, removedById } = memory
  if (supersededById !== undefined) {
    await undoSupersede(tx, scope, { seq, at: by.at }, { memoryId: supersededById, supersedesId: memoryId })
    const { supersedesId: _none, ...successor } = await getMemory(tx, scope, supersededById)
    const alone = { ...successor, supersedesId: undefined, version: successor.version + 1, updatedAt: by.at }
    await updateMemory(tx, scope, alone, { resealed: false })
  }
  const before = await getMemory(tx, scope, memoryId)
  const { expiresAt = Infinity } = before
  const hasExpired = expiresAt <= by.at
  const undo: RestoreUndo = {
    did: 'restore',
    type: 'memory',
    id: memoryId,
    version: before.version,
    removedById,
    archived: before.archivedAt === undefined ? undefined : { reason: head.archiveReason },
    superseded: supersededById === undefined ? undefined : { byId: supersededById, by: head.supersededBy },
    expired: hasExpired ? { at: expiresAt } : undefined,
  }
  if (before.archivedAt === undefined && !hasExpired) return undo
  const after = changeMemory(before, { archived: false, ...(hasExpired && { expiresAt: null }) }, by)
  await storeChange(tx, scope, seq, { before, after, entry: undefined })
  return { ...undo, version: after.version }
}
