import { isBlank } from '@holdfast/transfer/text/hidden-characters'
import { z } from 'zod'
import type { JsonValue } from '../core/json.ts'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import { relationTypes } from '../links/relation-types.ts'
import type { StoredLink } from '../links/store.ts'
import * as fields from '../operation/fields.ts'
import { changedBy, describeWriter, keyLabel, trustLevels, type Trust, type Writer } from '../operation/writer.ts'
import { withoutHalfPair } from '../text/tokenize.ts'
import { previewOf } from '../text/excerpts.ts'
import { lastChangeOf, trustOf } from './authorship.ts'

/**
 * A memory in code, on the wire, and in contracts.
 *
 * - occurredAt: when the event that it describes took place. Searches use it for dates and ages. createdAt is when the server stored it.
 * - live: not archived, expired or superseded. Searches find only live memories unless asked for more.
 * - superseded: a newer memory replaced it. It can still be read by id.
 */

export const memoryTypes = ['fact', 'skill', 'preference', 'constraint', 'task', 'episodic', 'correction'] as const
export type MemoryType = (typeof memoryTypes)[number]

export interface Memory {
  memoryId: string
  vaultId: string
  memoryType: MemoryType
  content: string
  importance: number
  confidence: number
  supersedesId: string | undefined
  supersededById: string | undefined
  archivedAt: number | undefined
  expiresAt: number | undefined
  occurredAt: number
  integrationId: string | undefined
  /** The agent that archived or superseded what a person wrote, or set its end; cleared once a person has decided about it. */
  removedById?: string | undefined
  accessCount: number
  lastAccessedAt: number | undefined
  contentRevision: number
  version: number
  createdAt: number
  updatedAt: number
  head: MemoryHead
}

/** What people rate a memory by, besides its words. */
export const ratedFields = ['memoryType', 'importance', 'confidence', 'expiresAt', 'occurredAt'] as const
type Ratings = { [Field in (typeof ratedFields)[number]]?: { value: Memory[Field] | null; version: number } }

/** The short sealed fields. The content is sealed separately, since it can be long and isn't always needed. */
export interface MemoryHead {
  summary?: string | undefined
  entities: string[]
  sourceNoteIds: string[]
  externalWriteId?: string | undefined
  writeReason?: string | undefined
  metadata: Record<string, JsonValue>
  agentId?: string | undefined
  agentRunId?: string | undefined
  modelId?: string | undefined
  archiveReason?: string | undefined
  /** For a task whose content was joined from title and description: where the title ends. */
  titleChars?: number | undefined
  /** The operation that wrote it, which callers can't choose, and neither the integrationId. One of `importRoutes` for a file. */
  route: string
  /** Who last changed the text; undefined while only its author has, in one run. */
  changedBy?: Writer | undefined
  /** Whether anyone but the author has ever changed the text. */
  hasOtherWriters?: boolean | undefined
  /** If the text is trusted less than its author. */
  trust?: Trust | undefined
  /**
   * What a person rated last since they last changed the text, and the version that this made: undoing a run brings the text back, but
   * keeps the ratings since. Undone runs and these ratings stay in the vault: exports have neither.
   */
  ratings?: Ratings | undefined
  /** Who superseded it; undefined if it isn't, or it isn't known. Runs stay in the vault: exports don't have it. */
  supersededBy?: Writer | undefined
  /** When an agent set the end of what people wrote, for their review: the end itself can have passed already. */
  endSetAt?: number | undefined
}

export const maxListed = 100

const relatedMemory = z.union([
  z.uuid(),
  z.object({
    memoryId: z.uuid(),
    relationType: z.enum(relationTypes).optional(),
    label: z.string().max(500).optional(),
  }),
])

export type RelatedMemory = z.output<typeof relatedMemory>

/** The fields that a caller sets when writing a memory. */
export const writableFields = {
  content: z
    .string()
    .min(1)
    .max(100_000)
    // Not as a pattern of the schema, which models would receive with every tool.
    .refine((text) => !isBlank(text), 'must not be blank')
    .describe('What to remember, 1 to 100,000 characters.'),
  summary: z.string().max(2000).optional().describe('Short form, at most 2,000 characters.'),
  memoryType: z.enum(memoryTypes).default('fact').describe('Kind of memory.'),
  importance: fields.importance.default(3).describe('1 (trivial) to 5 (vital).'),
  confidence: fields.importance.default(3).describe('1 (a guess) to 5 (certain).'),
  entities: z
    .array(z.string().min(1).max(200))
    .max(maxListed)
    .optional()
    .describe('Names of people, things or topics the memory is about, to filter by; at most 100.'),
  relatedMemoryIds: z
    .array(relatedMemory)
    .max(maxListed)
    .optional()
    .describe('Memories of the same vault to link to: ids, or objects with a relationType and a label.'),
  sourceNoteIds: z.array(z.uuid()).max(maxListed).optional().describe('Notes it was derived from.'),
  supersededById: z
    .uuid()
    .optional()
    .describe('Id of the memory that this one supersedes. Searches stop finding the older one.'),
  expiresAt: fields.timestamp.optional().describe('When it expires: searches stop finding it.'),
  metadata: fields.metadata.optional(),
  writeReason: z.string().max(2000).optional().describe('Why it was written.'),
  occurredAt: fields.timestamp.optional().describe('When the event it describes took place. Default: now.'),
}

export type WritableMemory = z.output<z.ZodObject<typeof writableFields>>

// 100,000 characters can take six bytes each when they are escaped.
export const bodyLimitBytes = 2 * 1024 * 1024

export const memoryRecord = z
  .looseObject({
    memoryId: z.uuid(),
    id: z.uuid(),
    vaultId: z.uuid(),
    memoryType: z.enum(memoryTypes),
    content: z.string(),
    summary: z.string().nullable(),
    importance: z.int(),
    confidence: z.int(),
    entities: z.array(z.string()),
    relatedMemories: z
      .array(z.looseObject({ memoryId: z.uuid(), relationType: z.enum(relationTypes), label: z.string().optional() }))
      .describe('Memories it links to, newest links first; get-links lists all of them.'),
    sourceNoteIds: z.array(z.uuid()),
    supersedesId: z.uuid().nullable(),
    supersededById: z.uuid().nullable(),
    status: z.enum(['active', 'archived']),
    archivedAt: fields.timestamp.nullable(),
    archiveReason: z.string().nullable(),
    expiresAt: fields.timestamp.nullable(),
    externalWriteId: z.string().nullable(),
    writeReason: z.string().nullable(),
    metadata: z.record(z.string(), z.json()),
    agentId: z.string().nullable(),
    agentRunId: z.string().nullable(),
    modelId: z.string().nullable(),
    source: z
      .looseObject({
        integrationId: z.uuid().nullable().describe('null: a person wrote it.'),
        keyLabel,
        route: z.string(),
        trust: z
          .enum(trustLevels)
          .describe(
            'That of the least trusted of all who shaped the text. `user_authored`: only people. `imported`: it came from a file, which can claim any author.',
          ),
      })
      .describe('Who wrote it first.'),
    changedBy,
    accessCount: z.int(),
    lastAccessedAt: fields.timestamp.nullable(),
    occurredAt: fields.timestamp,
    version: z.int(),
    createdAt: fields.timestamp,
    updatedAt: fields.timestamp,
  })
  .meta({ id: 'Memory' })

export type MemoryRecord = z.infer<typeof memoryRecord>

/** The memory as callers get it; `links` are the links from it. */
export function describeMemory(memory: Memory, links: readonly StoredLink[]): MemoryRecord {
  const { head } = memory
  return {
    memoryId: memory.memoryId,
    id: memory.memoryId,
    vaultId: memory.vaultId,
    memoryType: memory.memoryType,
    content: memory.content,
    summary: head.summary ?? null,
    importance: memory.importance,
    confidence: memory.confidence,
    entities: head.entities,
    relatedMemories: links
      .filter((link) => link.sourceId === memory.memoryId && link.targetType === 'memory')
      .map(describeRelation),
    sourceNoteIds: head.sourceNoteIds,
    supersedesId: memory.supersedesId ?? null,
    supersededById: memory.supersededById ?? null,
    status: memory.archivedAt === undefined ? 'active' : 'archived',
    archivedAt: isoTimeOrNull(memory.archivedAt),
    archiveReason: head.archiveReason ?? null,
    expiresAt: isoTimeOrNull(memory.expiresAt),
    externalWriteId: head.externalWriteId ?? null,
    writeReason: head.writeReason ?? null,
    metadata: head.metadata,
    agentId: head.agentId ?? null,
    agentRunId: head.agentRunId ?? null,
    modelId: head.modelId ?? null,
    source: describeSource(memory),
    changedBy: describeWriter(lastChangeOf(memory)),
    accessCount: memory.accessCount,
    lastAccessedAt: isoTimeOrNull(memory.lastAccessedAt),
    occurredAt: isoTime(memory.occurredAt),
    version: memory.version,
    createdAt: isoTime(memory.createdAt),
    updatedAt: isoTime(memory.updatedAt),
  }
}

export const describeSource = (memory: Memory): MemoryRecord['source'] => ({
  integrationId: memory.integrationId ?? null,
  route: memory.head.route,
  trust: trustOf(memory),
})

const describeRelation = ({ targetId, relationType, label }: StoredLink) => ({
  memoryId: targetId,
  relationType,
  ...(label !== undefined && { label }),
})

export const exampleMemory: MemoryRecord = {
  memoryId: '0198c5f0-0000-7000-8000-000000000101',
  id: '0198c5f0-0000-7000-8000-000000000101',
  vaultId: '0198c5f0-0000-7000-8000-000000000001',
  memoryType: 'preference',
  content: 'The user prefers tabs over spaces in Go code.',
  summary: null,
  importance: 4,
  confidence: 5,
  entities: ['Go'],
  relatedMemories: [],
  sourceNoteIds: [],
  supersedesId: null,
  supersededById: null,
  status: 'active',
  archivedAt: null,
  archiveReason: null,
  expiresAt: null,
  externalWriteId: null,
  writeReason: null,
  metadata: {},
  agentId: 'claude-code',
  agentRunId: null,
  modelId: null,
  source: { integrationId: '0198c5f0-0000-7000-8000-000000000011', route: 'write-memory', trust: 'agent_authored' },
  changedBy: null,
  accessCount: 0,
  lastAccessedAt: null,
  occurredAt: '2026-11-21T09:00:00.000Z',
  version: 1,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
}

const maxTitleLength = 200

/** The first line of its summary, or of its content if it has none. */
export function titleOf({ content, head }: { content: string; head: Pick<MemoryHead, 'summary'> }): string {
  const [line = ''] = (head.summary ?? content).trimStart().split(/[\r\n]/, 1)
  const plain = line.trimEnd()
  if (plain.length <= maxTitleLength) return plain
  return `${withoutHalfPair(plain.slice(0, maxTitleLength - 1))}…`
}

/** Not archived, expired or superseded. */
export const isLive = ({ archivedAt, supersededById, expiresAt = Infinity }: Memory, now: number): boolean =>
  archivedAt === undefined && supersededById === undefined && expiresAt > now

/** A memory as lists show it, with the beginning of its content. */
export const listedMemory = memoryRecord
  .omit({ content: true, metadata: true, relatedMemories: true })
  .extend({
    title: z.string().describe('Its summary or first line, at most 200 characters.'),
    preview: z.string().describe('The beginning of its content, in one line of at most 200 characters.'),
  })
  .meta({ id: 'ListedMemory' })

export function describeListed(memory: Memory): z.input<typeof listedMemory> {
  const { content: _content, metadata: _metadata, relatedMemories: _related, ...record } = describeMemory(memory, [])
  return { ...record, title: titleOf(memory), preview: previewOf(memory.content) }
}

const { content, metadata: _metadata, relatedMemories: _related, ...exampleRest } = exampleMemory
export const exampleListed = { ...exampleRest, title: content, preview: content }
