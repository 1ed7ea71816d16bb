import { isFromFile, isOtherWriter, lowestTrust, trustOfActor, type Trust, type Writer } from '../operation/writer.ts'
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

/**
 * The trust of a text that only its author has written. Only people write by these routes and without an integration. An import keeps both
 * only of what this instance exported.
 */
function authorsTrust({ integrationId, head }: Memory): Trust {
  if (isFromFile(head)) return 'imported'
  const isPersons =
    integrationId === undefined && (head.route === personsRoutes.memory || head.route === personsRoutes.task)
  return isPersons ? 'user_authored' : 'agent_authored'
}

export const trustOf = (memory: Memory): Trust => memory.head.trust ?? authorsTrust(memory)

/** What is known of a text: its writer since its author, and its trust. */
interface Authorship {
  changedBy: Writer | undefined
  trust: Trust
}

export const authorshipOf = (memory: Memory): Authorship => ({
  changedBy: memory.head.changedBy,
  trust: trustOf(memory),
})

export const withAuthorship = (memory: Memory, { changedBy, trust }: Authorship): Memory => ({
  ...memory,
  head: { ...memory.head, changedBy, trust: trust === authorsTrust(memory) ? undefined : trust },
})

/** The memory whose text was made from one with this authorship, by `by`. Trust never rises. */
export function sign(memory: Memory, from: Authorship, by: Writer): Memory {
  const isStillAuthors = from.changedBy === undefined && !isOtherWriter(authorOf(memory), by)
  return withAuthorship(memory, {
    changedBy: isStillAuthors ? undefined : by,
    trust: lowestTrust(from.trust, trustOfActor({ kind: by.integrationId === undefined ? 'person' : 'agent' })),
  })
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

export const isShapedAlike = (a: Memory, b: Memory): boolean =>
  JSON.stringify(shapeOf(a)) === JSON.stringify(shapeOf(b))

/** Whether only ratings, the type and times differ. */
export function saysTheSame(a: Memory, b: Memory): boolean {
  const wordsOf = ({ content, head: { summary, entities, metadata, writeReason } }: Memory) =>
    JSON.stringify({ content, summary, entities, metadata, writeReason })
  return wordsOf(a) === wordsOf(b)
}

export function reshape(memory: Memory, shape: Shape): Memory {
  const { summary, entities, metadata, writeReason, titleChars, ...own } = shape
  return { ...memory, ...own, head: { ...memory.head, summary, entities, metadata, writeReason, titleChars } }
}
