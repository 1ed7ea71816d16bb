import type { Memory, MemoryHead } from './memory.ts'

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

export function reshape(memory: Memory, shape: Shape): Memory {
  const { summary, entities, metadata, writeReason, titleChars, ...own } = shape
  return { ...memory, ...own, head: { ...memory.head, summary, entities, metadata, writeReason, titleChars } }
}
