import { conflict, invalid, notFound } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { archive, unarchive } from '../memories/archive-memory.ts'
import { isMergeUndo, undoMerge } from '../memories/merge-memories.ts'
import { supersede, undoSupersede } from '../memories/related-memories.ts'
import { getMemory, updateMemory } from '../memories/store.ts'
import { saveUpdate, storeChange } from '../memories/update-memory.ts'
import { trashOne } from '../notes/delete-note.ts'
import { findOutlines } from '../notes/store.ts'
import { personChanging, saveNoteChange } from '../notes/update-note.ts'
import { writerOf, type WriterContext } from '../operation/claimed-agent.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import type { Writer } from '../operation/writer.ts'
import { findProposal, reopenProposal, type Proposal } from '../proposals/store.ts'
import { saveChange } from '../tasks/update-task.ts'
import { openUndo } from '../vaults/undo-store.ts'
import { nextSeq } from '../vaults/store.ts'
import { callOf } from './proposed-change.ts'
import { markRemoved } from './removed-store.ts'

/** Taking back decisions. Each fails with a conflict if the record has changed since the decision. */

/** A proposal that was accepted, and the version that its record had then. */
export interface AcceptUndo {
  did: 'accept'
  proposalId: string
  version: number
}

/** A removal that was kept: the integration that made it, and the version that the record had. */
export interface KeepUndo {
  did: 'keep removed'
  type: 'memory' | 'note'
  id: string
  version: number
  removedById: string
}

/** A memory or note that was restored: how it was removed before, and the version that it has now. */
export interface RestoreUndo {
  did: 'restore'
  type: 'memory' | 'note'
  id: string
  version: number
  removedById: string | undefined
  archived?: { reason: string | undefined } | undefined
  superseded?: { byId: string; by: Writer | undefined } | undefined
  expired?: { at: number } | undefined
}

type Undo = AcceptUndo | KeepUndo | RestoreUndo

type Context = Pick<PersonVaultContext, 'db' | 'vault' | 'now' | 'about' | 'indexes' | 'embeddings' | 'log'> &
  WriterContext

export async function undoDecision(ctx: Context, token: string): Promise<void> {
  const undo = openUndo(ctx.vault, token)
  if (isMergeUndo(undo)) return undoMerge(ctx, undo)
  const { did, ...decided } = undo as Undo
  switch (did) {
    case 'accept':
      return undoAccept(ctx, decided as AcceptUndo)
    case 'keep removed':
      return undoKeep(ctx, decided as KeepUndo)
    case 'restore':
      return undoRestore(ctx, decided as RestoreUndo)
    default:
      throw invalid({ undo: 'is not from a decision that can be undone' })
  }
}

const refuseChanged = (version: number, current: number): void => {
  if (version !== current) throw conflict("It has changed since your decision, so the decision can't be undone here")
}

/** The change is undone first: after a crash in between, the proposal counts as accepted, and undoing again fails with a conflict. */
async function undoAccept(ctx: Context, { proposalId, version }: Omit<AcceptUndo, 'did'>): Promise<void> {
  const proposal = await findProposal(ctx.db.read, ctx.vault, proposalId)
  if (proposal === undefined) throw notFound('Proposal')
  if (proposal.status !== 'accepted') throw conflict(`The proposal is ${proposal.status}`)
  ctx.about(proposal.recordType, proposal.recordId)
  await undoChange(ctx, proposal, version)
  await ctx.db.write((tx) => reopenProposal(tx, ctx.vault, proposalId))
}

/** The text before is always kept: another writer than the agent had written it. */
async function undoChange(ctx: Context, proposal: Proposal, version: number): Promise<void> {
  const call = callOf(proposal)
  const by = writerOf(ctx)
  const restored = { fromVersion: version - 1, expectedVersion: version }
  switch (call.operation) {
    case 'update-memory':
      await saveUpdate(ctx, { memoryId: proposal.recordId, ...restored }, { by })
      break
    case 'update-task':
      await saveChange(ctx, { taskId: proposal.recordId, ...restored }, { by })
      break
    case 'update-note':
      await saveNoteChange(ctx, { noteId: proposal.recordId, mode: 'replace', ...restored }, personChanging(ctx))
      break
    case 'delete-note': {
      const change = { noteId: proposal.recordId, mode: 'replace', trashed: false, expectedVersion: version } as const
      await saveNoteChange(ctx, change, personChanging(ctx))
      break
    }
    case 'archive-memory':
      await unarchiveUnchanged(ctx, proposal.recordId, version)
      break
    case 'write-memory':
      await removeSuccessor(ctx, proposal.recordId, version)
  }
}

const unarchiveUnchanged = ({ db, vault, now }: Context, id: string, version: number): Promise<unknown> =>
  db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    const memory = await getMemory(tx, vault, id)
    refuseChanged(version, memory.version)
    return unarchive(tx, vault, { seq, at: now() }, memory)
  })

/** What replaced the memory is archived: nothing that was stored gets lost. */
const removeSuccessor = ({ db, vault, now }: Context, id: string, version: number): Promise<unknown> =>
  db.write(async (tx) => {
    const when = { seq: await nextSeq(tx, vault), at: now() }
    const { version: current, supersededById } = await getMemory(tx, vault, id)
    refuseChanged(version, current)
    if (supersededById === undefined) return
    await undoSupersede(tx, vault, when, { memoryId: supersededById, supersedesId: id })
    const successor = { ...(await getMemory(tx, vault, supersededById)), supersedesId: undefined }
    const alone = { ...successor, version: successor.version + 1, updatedAt: when.at }
    if (successor.archivedAt !== undefined) await updateMemory(tx, vault, alone, { resealed: false })
    else await archive(tx, vault, when, { memory: successor, reason: 'Accepting it was undone', by: {} })
  })

const undoKeep = (
  { db, vault, about }: Context,
  { type, id, version, removedById }: Omit<KeepUndo, 'did'>,
): Promise<void> =>
  db.write(async (tx) => {
    await nextSeq(tx, vault)
    about(type, id)
    // Once it is restored, there is no removal left to decide about.
    refuseChanged(version, await versionOf(tx, vault, type, id))
    await markRemoved(tx, vault, { type, id, removedById })
  })

async function versionOf(tx: Tx, vault: VaultScope, type: KeepUndo['type'], id: string): Promise<number> {
  if (type === 'memory') return (await getMemory(tx, vault, id)).version
  const [note] = await findOutlines(tx, vault, [id])
  if (note === undefined) throw notFound('Note')
  return note.version
}

async function undoRestore(ctx: Context, undo: Omit<RestoreUndo, 'did'>): Promise<void> {
  const { db, vault, now, about } = ctx
  const { type, id, version, removedById } = undo
  about(type, id)
  if (type === 'note') {
    const permit = (_tx: unknown, note: { version: number }) => {
      refuseChanged(version, note.version)
      return 'yes' as const
    }
    await trashOne(ctx, id, { by: { integrationId: removedById }, permit })
    return
  }
  const by = { ...writerOf(ctx), integrationId: removedById }
  await db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    const before = await getMemory(tx, vault, id)
    refuseChanged(version, before.version)
    const { expired, superseded, archived } = undo
    if (expired !== undefined) {
      const after = { ...before, expiresAt: expired.at, removedById, version: version + 1, updatedAt: now() }
      await storeChange(tx, vault, seq, { before, after, entry: undefined })
    }
    if (superseded !== undefined) {
      const successor = { ...(await getMemory(tx, vault, superseded.byId)), supersedesId: id, updatedAt: now() }
      await updateMemory(tx, vault, { ...successor, version: successor.version + 1 }, { resealed: false })
      await supersede(tx, vault, seq, { supersededId: id, successor, by: superseded.by ?? by })
    }
    if (archived !== undefined) {
      const memory = await getMemory(tx, vault, id)
      await archive(tx, vault, { seq, at: now() }, { memory, reason: archived.reason, by })
    }
    await markRemoved(tx, vault, { type, id, removedById: removedById ?? null })
  })
}
