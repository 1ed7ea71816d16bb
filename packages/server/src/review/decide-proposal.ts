import { conflict, notFound } from '../core/errors.ts'
import type { Tx } from '../db/dialect.ts'
import { askedMemory } from '../memories/authorship.ts'
import { archiveOne } from '../memories/archive-memory.ts'
import { createMemory } from '../memories/create-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { saveUpdate } from '../memories/update-memory.ts'
import { trashOne } from '../notes/delete-note.ts'
import { askedNote, type Note } from '../notes/note.ts'
import { saveNoteChange } from '../notes/update-note.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import type { AskedRecord } from '../proposals/permit.ts'
import { findProposal, findStatuses, reopenProposal, settleProposal, type Proposal } from '../proposals/store.ts'
import { findTasksById } from '../tasks/task.ts'
import { askedTask, saveChange } from '../tasks/update-task.ts'
import { lockVault } from '../vault-index/stored/store.ts'
import { isChanged } from './changed-store.ts'
import { insertDecision } from './decision-store.ts'
import { refuseUnseen } from './describe-proposal.ts'
import { callOf, isOutdated } from './proposed-change.ts'
import { keepRemoved } from './removed-store.ts'
import type { AcceptUndo } from './undo-decision.ts'

/** Accepting and rejecting what agents propose. Repeating a decision changes nothing; another decision on the same proposal is a conflict. */

type Context = Pick<PersonVaultContext, 'db' | 'vault' | 'now' | 'about' | 'indexes' | 'embeddings' | 'log'>

interface Acceptance {
  proposalId: string
  expectedVersion: number | undefined
  wholeTag: string | undefined
}

export async function acceptProposal(
  ctx: Context,
  { proposalId, expectedVersion, wholeTag }: Acceptance,
): Promise<AcceptUndo | undefined> {
  const proposal = await findProposal(ctx.db.read, ctx.vault, proposalId)
  if (proposal === undefined) throw notFound('Proposal')
  if (proposal.status === 'accepted') return undefined
  refuseSettled(proposal)
  ctx.about(proposal.recordType, proposal.recordId)
  // Of what was read here once: no other text than the one that was compared can be stored.
  await refuseUnseen(ctx, proposal, wholeTag)
  return accept(ctx, proposal, expectedVersion)
}

/**
 * Rejects what the person has seen, and returns the ids of what is rejected now. Of several, those that no longer wait stay as they are: an
 * agent that keeps replacing its proposals can't keep a person from rejecting the others. Opens none, so it also ends a damaged one.
 */
export async function rejectProposals(
  { db, vault, now, about }: Pick<Context, 'db' | 'vault' | 'now' | 'about'>,
  ids: readonly string[],
): Promise<string[]> {
  const found = await db.write(async (tx) => {
    await lockVault(tx, vault)
    const stored = await findStatuses(tx, vault, ids)
    const [first] = stored
    if (ids.length === 1 && first === undefined) throw notFound('Proposal')
    if (ids.length === 1 && first !== undefined && first.status !== 'rejected') refuseSettled(first)
    for (const { proposalId: id, status } of stored)
      if (status === 'pending') await settleProposal(tx, vault, { id, status: 'rejected', at: now() })
    return stored
  })
  for (const type of ['memory', 'note'] as const)
    about(
      type,
      found.flatMap(({ status, recordType, recordId }) =>
        status === 'pending' && recordType === type ? recordId : [],
      ),
    )
  return found.flatMap(({ proposalId, status }) => (status === 'pending' || status === 'rejected' ? proposalId : []))
}

/** Undoes rejections, and returns the ids of what waits again. */
export async function reopenRejected(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  ids: readonly string[],
): Promise<string[]> {
  return db.write(async (tx) => {
    await lockVault(tx, vault)
    const rejected = (await findStatuses(tx, vault, ids)).filter(({ status }) => status === 'rejected')
    for (const { proposalId } of rejected) await reopenProposal(tx, vault, proposalId)
    return rejected.map(({ proposalId }) => proposalId)
  })
}

function refuseSettled({ status }: Pick<Proposal, 'status'>): void {
  if (status !== 'pending') throw conflict(`The proposal is already ${status}`)
}

const decidedMeanwhile = () => conflict('The proposal was decided or withdrawn in the meantime')

/**
 * Makes the change as the agent's, and records that a person has agreed to it, so that it needs no further review. Returns how to undo that;
 * undefined if there was nothing to change.
 */
async function accept(
  ctx: Context,
  proposal: Proposal,
  expectedVersion: number | undefined,
): Promise<AcceptUndo | undefined> {
  const { db, vault, now } = ctx
  const { proposalId: id, recordId, recordType } = proposal
  // A transaction that is rolled back takes the decision back with it, and its work runs again in another one.
  let settledIn: Tx | undefined
  let version = 0
  // In the transaction of the change, which then can't happen twice.
  const agree = async (tx: Tx, record: AskedRecord & { version: number }) => {
    if (record.id === recordId) refuseOtherText(ctx, proposal, record, expectedVersion)
    if (settledIn !== tx && !(await settleProposal(tx, vault, { id, status: 'accepted', at: now() })))
      throw decidedMeanwhile()
    settledIn = tx
    if (record.id === recordId) version = record.version + 1
    return 'yes' as const
  }
  const hasOtherChange = await isChanged(db.read, vault, now(), recordId)
  await makeChange(ctx, proposal, agree)
  if (settledIn === undefined && proposal.operation === 'write-memory')
    throw conflict(
      'There is a memory with the same externalWriteId by now, so nothing would change. Reject the proposal',
    )
  await db.write(async (tx) => {
    await lockVault(tx, vault)
    // There was nothing to change any more.
    if (settledIn === undefined && !(await settleProposal(tx, vault, { id, status: 'accepted', at: now() })))
      throw decidedMeanwhile()
    await keepRemoved(tx, vault, recordType, recordId)
    // An earlier change that nobody has looked at still needs a review.
    if (recordType === 'memory' && !hasOtherChange)
      await insertDecision(tx, vault, { kind: 'changed', looked: [recordId], at: now() })
  })
  return version === 0 ? undefined : { did: 'accept', proposalId: id, version }
}

function refuseOtherText(
  { vault }: Pick<Context, 'vault'>,
  proposal: Proposal,
  record: AskedRecord & { version: number },
  expectedVersion: number | undefined,
): void {
  const isOther =
    expectedVersion === undefined ? isOutdated(vault, proposal, record) : expectedVersion !== record.version
  if (isOther)
    throw conflict(
      `The record has changed since and has version ${record.version}. Look at the proposal again before you accept it`,
    )
}

type Agree = (tx: Tx, record: AskedRecord & { version: number }) => Promise<'yes'>

async function makeChange(ctx: Context, proposal: Proposal, agree: Agree): Promise<void> {
  const call = callOf(proposal)
  const by = { ...proposal.by, at: ctx.now() }
  const { agentId, agentRunId, route, integrationId } = by
  const permit = async (tx: Tx, memory: Memory) => {
    // Review shows one memory.
    if (memory.memoryId !== proposal.recordId)
      throw conflict('Accepting would also change a memory that the proposal does not show. Reject it')
    return agree(tx, { ...askedMemory(memory), version: memory.version })
  }
  const permitNote = (tx: Tx, note: Note) => agree(tx, { ...askedNote(note), version: note.version })
  switch (call.operation) {
    case 'write-memory': {
      const origin = { agentId, agentRunId, route, modelId: proposal.modelId }
      await createMemory({ ...ctx, actor: { integrationId } }, { ...call.input, origin, dedup: undefined, permit })
      break
    }
    case 'update-memory':
      await saveUpdate(ctx, call.input, { by, permit })
      break
    case 'archive-memory':
      await archiveOne(ctx, call.input.memoryId, { by, reason: call.input.reason, permit })
      break
    case 'update-task': {
      const agreeToTask = async (tx: Tx, memory: Memory) => {
        const [task] = await findTasksById(tx, ctx.vault, [memory.memoryId])
        return agree(tx, { ...(task === undefined ? askedMemory(memory) : askedTask(task)), version: memory.version })
      }
      await saveChange(ctx, call.input, { by, permit: agreeToTask })
      break
    }
    case 'update-note':
      await saveNoteChange(ctx, call.input, { writer: by, trust: 'agent_authored', permit: permitNote })
      break
    case 'delete-note':
      await trashOne(ctx, call.input.noteId, { by, permit: permitNote })
  }
}
