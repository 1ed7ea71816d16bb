import { z } from 'zod'
import { conflict, ServiceError } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { askedMemory, shapeOf } from '../memories/authorship.ts'
import { changeMemory, restoreText } from '../memories/change-memory.ts'
import { listChanges, type TextChange } from '../memories/former-text.ts'
import { titleOf, type Memory } from '../memories/memory.ts'
import { findTaskRows, openWithState, type MemoryAndState } from '../memories/store.ts'
import { findFormerText, type TaskTexts } from '../memories/version-store.ts'
import { changeNote } from '../notes/change-note.ts'
import { askedNote, type Note } from '../notes/note.ts'
import { findNotes } from '../notes/store.ts'
import { findVersion } from '../notes/version-store.ts'
import type { VaultContext } from '../operation/context.ts'
import { describeKnownWriter, writerRecord } from '../operation/writer.ts'
import { textTagOf } from '../proposals/propose.ts'
import { proposedOperations, type Proposal } from '../proposals/store.ts'
import { changeTask } from '../tasks/change-task.ts'
import { askedTask } from '../tasks/update-task.ts'
import { callOf, isOutdated } from './proposed-change.ts'

/** What a proposal would change of its record as it is now. */

export const proposedChange = z
  .looseObject({
    proposalId: z.uuid(),
    operation: z.enum(proposedOperations).describe('What the agent called.'),
    effect: z.enum(['change', 'supersede', 'archive', 'trash']).describe('What happens to the record.'),
    recordType: z.enum(['memory', 'note']),
    recordId: z.uuid(),
    title: z.string().describe('Of the record; empty if it is gone.'),
    version: z.int().nullable().describe('Of the record, to accept exactly what is shown; null if it is gone.'),
    isOutdated: z.boolean().describe('Whether the text has changed since. `changes` are those of the current text.'),
    problem: z.string().nullable().describe('Why it can no longer be accepted.'),
    wholeTag: z
      .string()
      .nullable()
      .describe('Shows decide-review that you were given the whole change. Null if a text is cut: ask with `id`.'),
    by: writerRecord.describe('Who asks, and when.'),
    reason: z.string().nullable().describe('Why, if the agent said so.'),
  })
  .meta({ id: 'ProposedChange' })

interface Described extends z.input<typeof proposedChange> {
  wholeTag: string
  memory: Memory | undefined
  changes: TextChange[]
}

type Context = Pick<VaultContext, 'db' | 'vault' | 'now'>

/** A record, and what would change. */
interface Planned {
  record: { title: string; version: number; isOutdated: boolean; memory?: Memory } | undefined
  changes: TextChange[]
  problem: string | undefined
}

export async function describeProposal(ctx: Context, proposal: Proposal): Promise<Described> {
  const { proposalId, operation, recordType, recordId, by, createdAt, input } = proposal
  const { record, changes, problem } = await (recordType === 'note' ? planNote : planMemory)(ctx, proposal)
  const { reason: given, writeReason }: { reason?: string; writeReason?: string } = input
  const reason = given ?? writeReason ?? null
  return {
    proposalId,
    operation,
    effect: effectOf(proposal),
    recordType,
    recordId,
    title: record?.title ?? '',
    version: record?.version ?? null,
    isOutdated: record?.isOutdated ?? false,
    problem: problem ?? null,
    wholeTag: textTagOf(ctx.vault, JSON.stringify([changes, reason])),
    by: describeKnownWriter({ ...by, at: createdAt }),
    reason,
    memory: record?.memory,
    changes,
  }
}

/**
 * Nobody accepts what they couldn't see: lists cut long texts, and an agent chooses where its change begins. Nor another reason than the one
 * they read, which is stored with the change.
 */
export async function refuseUnseen(ctx: Context, proposal: Proposal, seenTag: string | undefined): Promise<void> {
  const { wholeTag } = await describeProposal(ctx, proposal)
  if (seenTag === undefined)
    throw conflict('Look at the whole change before you accept it: list-review with its `id` answers with a `wholeTag`')
  if (seenTag !== wholeTag)
    throw conflict('The change is no longer the one that was shown. Look at the proposal again before you accept it')
}

function effectOf(proposal: Proposal): z.input<typeof proposedChange>['effect'] {
  const call = callOf(proposal)
  if (call.operation === 'archive-memory') return 'archive'
  if (call.operation === 'delete-note') return 'trash'
  return call.operation === 'write-memory' ? 'supersede' : 'change'
}

const gone: Planned = { record: undefined, changes: [], problem: 'The record no longer exists.' }

async function planMemory(ctx: Context, proposal: Proposal): Promise<Planned> {
  const { db, vault } = ctx
  const [rows] = await findTaskRows(db.read, vault, [proposal.recordId])
  if (rows === undefined) return gone
  const found = openWithState(vault, rows)
  const { memory, state } = found
  const isOfTask = proposal.operation === 'update-task' && memory.memoryType === 'task'
  const record = {
    title: titleOf(memory),
    version: memory.version,
    isOutdated: isOutdated(
      vault,
      proposal,
      isOfTask && state !== undefined ? askedTask({ memory, state }) : askedMemory(memory),
    ),
    memory,
  }
  const isGone = memory.supersededById !== undefined && effectOf(proposal) === 'supersede'
  const planned = await collect(() => changesOfMemory(ctx, proposal, found))
  return { record, ...planned, problem: isGone ? 'Another memory has superseded it since.' : planned.problem }
}

async function changesOfMemory(
  { db, vault, now }: Context,
  proposal: Proposal,
  { memory, state: task }: MemoryAndState,
): Promise<TextChange[]> {
  const call = callOf(proposal)
  const by = { ...proposal.by, at: now() }
  const before = { shape: shapeOf(memory), task: task?.detail }
  const to = (after: Memory, texts: TaskTexts | undefined = task?.detail) =>
    listChanges(before, { memory: after, task: texts })
  if (call.operation === 'archive-memory') return []
  if (call.operation === 'write-memory') return to(successorOf(memory, call.input))
  if (call.operation !== 'update-memory' && call.operation !== 'update-task') return []
  const { fromVersion } = call.input
  if (fromVersion !== undefined) {
    const former = await findFormerText(db.read, vault, memory.memoryId, fromVersion)
    if (former === undefined) throw new ServiceError('not_found', 'The older version is no longer kept.')
    return to(restoreText(memory, former, by), former.task)
  }
  if (call.operation === 'update-memory') return to(changeMemory(memory, call.input, by))
  const changed = task && changeTask({ memory, state: task }, call.input, by)
  return changed === undefined ? [] : to(changed.memory, changed.state.detail)
}

/** The new memory as a later text of the one that it supersedes, to compare both. */
function successorOf(
  memory: Memory,
  draft: Extract<ReturnType<typeof callOf>, { operation: 'write-memory' }>['input'],
): Memory {
  const { content, memoryType, importance = 3, confidence = 3, expiresAt, occurredAt } = draft
  const { summary, entities = [], metadata = {}, writeReason } = draft
  return {
    ...memory,
    content,
    memoryType,
    importance,
    confidence,
    expiresAt: expiresAt === undefined ? undefined : Date.parse(expiresAt),
    occurredAt: occurredAt === undefined ? memory.occurredAt : Date.parse(occurredAt),
    head: { ...memory.head, summary, entities, metadata, writeReason },
  }
}

async function planNote(ctx: Context, proposal: Proposal): Promise<Planned> {
  const [note] = await findNotes(ctx.db.read, ctx.vault, [proposal.recordId])
  if (note === undefined) return gone
  const { head, version } = note
  const record = { title: head.title, version, isOutdated: isOutdated(ctx.vault, proposal, askedNote(note)) }
  return { record, ...(await collect(() => changesOfNote(ctx.db.read, ctx.vault, proposal, note))) }
}

async function changesOfNote(db: Reader, vault: VaultScope, proposal: Proposal, note: Note): Promise<TextChange[]> {
  const call = callOf(proposal)
  if (call.operation !== 'update-note') return []
  const { fromVersion } = call.input
  const former = fromVersion === undefined ? undefined : await findVersion(db, vault, note.noteId, fromVersion)
  if (fromVersion !== undefined && former === undefined)
    throw new ServiceError('not_found', 'The older version is no longer kept.')
  const change = { ...call.input, ...(former && { title: former.title, content: former.content, tags: former.tags }) }
  const who = { writer: proposal.by, trust: 'agent_authored' as const }
  const after = await changeNote(note, change, who, async () => {})
  const [before, next] = [printNote(note), printNote(after)]
  return (['title', 'content', 'tags'] as const)
    .filter((field) => before[field] !== next[field])
    .map((field) => ({ field, before: before[field], after: next[field] }))
}

const printNote = ({ head, content }: Note) => ({ title: head.title, content, tags: head.tags.join(', ') })

/** What the change is, or why it no longer fits the record, such as a passage that no longer occurs. */
async function collect(list: () => Promise<TextChange[]>): Promise<Omit<Planned, 'record'>> {
  try {
    return { changes: await list(), problem: undefined }
  } catch (error) {
    if (error instanceof ServiceError) return { changes: [], problem: error.message }
    throw error
  }
}
