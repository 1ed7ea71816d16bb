import {
  isFromFile,
  isOtherWriter,
  isSameName,
  lowestTrust,
  trustOfActor,
  type Trust,
  type Writer,
} from '../operation/writer.ts'
import { isPersons, judgeHands, type AskedRecord, type PolicyHolder } from '../proposals/permit.ts'
import type { WriteRule } from '../auth/write-policy.ts'
import type { Memory, MemoryHead } from './memory.ts'

/** Who shaped the text of a memory, and how far it can be trusted. */

/**
 * The routes that people's own memories and tasks are stored with, to tell them from agents' records. These are values on the wire, not names of
 * operations. Agents' records are stored with the name of the operation.
 */
export const personsRoutes = { memory: 'add-memory', task: 'add-task' } as const

export const authorOf = ({ integrationId, createdAt, head }: Memory): Writer => ({
  integrationId,
  agentId: head.agentId,
  agentRunId: head.agentRunId,
  route: head.route,
  at: createdAt,
})

export const lastWriterOf = (memory: Memory): Writer => memory.head.changedBy ?? authorOf(memory)

/** What an agent may do to the text of a memory. */
export const judgeText = (holder: PolicyHolder | undefined, memory: Memory): WriteRule =>
  judgeHands(holder, { author: authorOf(memory), last: lastWriterOf(memory) })

/** What people review if an agent hides a memory: what they wrote, or changed last. */
export const isOfPerson = (memory: Memory): boolean => isPersons(authorOf(memory)) || isPersons(lastWriterOf(memory))

/** The memory as the end of it by `by` leaves it: people's own choices need no review. */
export const removedBy = (memory: Memory, by: Pick<Writer, 'integrationId'>): Memory => ({
  ...memory,
  removedById: isOfPerson(memory) ? by.integrationId : undefined,
})

/** The same if `by` gave it another end, or none. */
export function withEndBy(memory: Memory, by: Writer): Memory {
  const ended = removedBy(memory, by)
  const endSetAt = ended.removedById === undefined ? undefined : by.at
  return { ...ended, head: { ...ended.head, endSetAt } }
}

/**
 * The trust of a text that only its author has written. Only people write by these routes and without an integration. An import keeps both
 * only of what this instance exported.
 */
function authorsTrust({ integrationId, head }: Memory): Trust {
  if (isFromFile(head)) return 'imported'
  const isByPerson =
    integrationId === undefined && (head.route === personsRoutes.memory || head.route === personsRoutes.task)
  return isByPerson ? 'user_authored' : 'agent_authored'
}

export const trustOf = (memory: Memory): Trust => memory.head.trust ?? authorsTrust(memory)

/** What is known of a text besides its author. */
type Authorship = Pick<MemoryHead, 'changedBy' | 'hasOtherWriters'> & { trust: Trust }

export const authorshipOf = (memory: Memory): Authorship => ({
  changedBy: memory.head.changedBy,
  hasOtherWriters: memory.head.hasOtherWriters,
  trust: trustOf(memory),
})

export const withAuthorship = (memory: Memory, { changedBy, hasOtherWriters, trust }: Authorship): Memory => ({
  ...memory,
  head: {
    ...memory.head,
    changedBy,
    hasOtherWriters,
    trust: trust === authorsTrust(memory) ? undefined : trust,
  },
})

/** The memory whose text was made from one with this authorship, by `by`. Trust never rises. */
export function sign(memory: Memory, from: Authorship, by: Writer): Memory {
  const author = authorOf(memory)
  const isAuthor = isSameName(author, by)
  const isStillAuthors = from.changedBy === undefined && isAuthor && !isOtherWriter(author, by)
  return withAuthorship(memory, {
    changedBy: isStillAuthors ? undefined : by,
    hasOtherWriters: from.hasOtherWriters === true || !isAuthor || undefined,
    trust: lowestTrust(from.trust, trustOfActor({ kind: by.integrationId === undefined ? 'person' : 'agent' })),
  })
}

/**
 * The last change of the text, for people: none while only its author has shaped it, in whatever run. Changes of an earlier release don't
 * say whether there were others before.
 */
export function lastChangeOf(memory: Memory): Writer | undefined {
  const { changedBy, hasOtherWriters } = memory.head
  const isByOther = changedBy !== undefined && !isSameName(changedBy, authorOf(memory))
  return hasOtherWriters === true || isByOther ? changedBy : undefined
}

/**
 * Everything that makes the text of a memory what it is: what is kept when another writer changes it, and what restoring a
 * former text brings back. Not its links, not whether it is archived or superseded.
 */
export type Shape = Pick<Memory, 'memoryType' | 'content' | 'importance' | 'confidence' | 'expiresAt' | 'occurredAt'> &
  Pick<MemoryHead, 'summary' | 'entities' | 'metadata' | 'writeReason' | 'titleChars'>

export const shapeOf = ({ head, ...memory }: Memory): Shape => ({
  memoryType: memory.memoryType,
  content: memory.content,
  importance: memory.importance,
  confidence: memory.confidence,
  expiresAt: memory.expiresAt,
  occurredAt: memory.occurredAt,
  summary: head.summary,
  entities: head.entities,
  metadata: head.metadata,
  writeReason: head.writeReason,
  titleChars: head.titleChars,
})

/** A memory that a person decides about. `doneWhen`: of a task whose conditions change. */
export const askedMemory = (memory: Memory, doneWhen?: string): AskedRecord => ({
  type: 'memory',
  id: memory.memoryId,
  text: JSON.stringify([shapeOf(memory), doneWhen ?? null]),
})

export const isShapedAlike = (a: Memory, b: Memory): boolean =>
  JSON.stringify(shapeOf(a)) === JSON.stringify(shapeOf(b))

/** Whether only ratings, the type and times differ. */
export function saysTheSame(a: Memory, b: Memory): boolean {
  const wordsOf = ({ content, head: { summary, entities, metadata, writeReason } }: Memory) =>
    JSON.stringify({ content, summary, entities, metadata, writeReason })
  return wordsOf(a) === wordsOf(b)
}

/** A stored shape leaves out what it doesn't have, so optional fields are named here. */
export function reshape(memory: Memory, shape: Shape): Memory {
  const { expiresAt, summary, entities, metadata, writeReason, titleChars, ...own } = shape
  const head = { ...memory.head, summary, entities, metadata, writeReason, titleChars }
  return { ...memory, ...own, expiresAt, head }
}
