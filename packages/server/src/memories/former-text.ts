import { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { describeKnownWriter, trustLevels, writerRecord } from '../operation/writer.ts'
import { previewOf } from '../text/excerpts.ts'
import { authorOf, shapeOf, type Shape } from './authorship.ts'
import { memoryTypes, type Memory } from './memory.ts'
import type { FormerText, TaskTexts } from './version-store.ts'

/** Former texts of a memory on the wire, and how two texts differ. */

const outline = {
  version: z.int().describe('The version that the memory had with this text.'),
  memoryType: z.enum(memoryTypes),
  preview: z.string().describe('The beginning of its content, in one line of at most 200 characters.'),
  characters: z.int().describe('Length of its content in UTF-16 units.'),
  writtenBy: writerRecord.describe('Who wrote this text, or was the last to change it.'),
  trust: z.enum(trustLevels),
  updatedAt: fields.timestamp.describe('When the memory last changed while it had this text.'),
}

export const memoryVersionOutline = z.looseObject(outline).meta({ id: 'MemoryVersionOutline' })

export const memoryVersion = z
  .looseObject({
    ...outline,
    content: z.string(),
    summary: z.string().nullable(),
    importance: z.int(),
    confidence: z.int(),
    entities: z.array(z.string()),
    metadata: z.record(z.string(), z.json()),
    writeReason: z.string().nullable(),
    expiresAt: fields.timestamp.nullable(),
    occurredAt: fields.timestamp,
    doneWhen: z.string().nullable().describe('Of a task, as is `blockedReason`.'),
    blockedReason: z.string().nullable().describe('What it was waiting for then, whoever wrote that.'),
  })
  .meta({ id: 'MemoryVersion' })

export const exampleOutline: z.input<typeof memoryVersionOutline> = {
  version: 1,
  memoryType: 'preference',
  preview: 'The user prefers tabs in Go code.',
  characters: 33,
  writtenBy: { integrationId: null, agentId: 'user', route: 'add-memory', at: '2026-11-21T08:00:00.000Z' },
  trust: 'user_authored',
  updatedAt: '2026-11-21T08:00:00.000Z',
}

/** A former text of this memory. */
export function describeOutline(memory: Memory, former: FormerText): z.input<typeof memoryVersionOutline> {
  const { version, shape, changedBy, trust, updatedAt } = former
  return {
    version,
    memoryType: shape.memoryType,
    preview: previewOf(shape.content),
    characters: shape.content.length,
    writtenBy: describeKnownWriter(changedBy ?? authorOf(memory)),
    trust,
    updatedAt: isoTime(updatedAt),
  }
}

export function describeVersion(memory: Memory, former: FormerText): z.input<typeof memoryVersion> {
  const { shape, task } = former
  return {
    ...describeOutline(memory, former),
    content: shape.content,
    summary: shape.summary ?? null,
    importance: shape.importance,
    confidence: shape.confidence,
    entities: shape.entities,
    metadata: shape.metadata,
    writeReason: shape.writeReason ?? null,
    expiresAt: isoTimeOrNull(shape.expiresAt),
    occurredAt: isoTime(shape.occurredAt),
    doneWhen: task?.doneWhen ?? null,
    blockedReason: task?.blockedReason ?? null,
  }
}

const shapingFields = [
  'content',
  'summary',
  'memoryType',
  'importance',
  'confidence',
  'entities',
  'metadata',
  'writeReason',
  'expiresAt',
  'occurredAt',
  'doneWhen',
] as const

/** Also those of notes. */
const changedFields = [...shapingFields, 'title', 'tags'] as const

export const textChange = z
  .looseObject({
    field: z.enum(changedFields),
    before: z.string().nullable().describe('As text; null if it had none.'),
    after: z.string().nullable(),
  })
  .meta({ id: 'TextChange' })

export type TextChange = z.input<typeof textChange>

/** What differs between a former text and the current one, as texts to compare. */
export function listChanges(
  former: Pick<FormerText, 'shape' | 'task'>,
  current: { memory: Memory; task: TaskTexts | undefined },
): TextChange[] {
  const [before, after] = [printFields(former.shape, former.task), printFields(shapeOf(current.memory), current.task)]
  return shapingFields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, before: before[field], after: after[field] }))
}

const printFields = (shape: Shape, task: TaskTexts = {}): Record<(typeof shapingFields)[number], string | null> => ({
  content: shape.content,
  summary: shape.summary ?? null,
  memoryType: shape.memoryType,
  importance: String(shape.importance),
  confidence: String(shape.confidence),
  entities: shape.entities.join(', '),
  metadata: JSON.stringify(shape.metadata, undefined, 2),
  writeReason: shape.writeReason ?? null,
  expiresAt: isoTimeOrNull(shape.expiresAt),
  occurredAt: isoTime(shape.occurredAt),
  doneWhen: task.doneWhen ?? null,
})
