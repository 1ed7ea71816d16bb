import { z } from 'zod'
import type { JsonValue } from '../core/json.ts'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import { relationTypes } from '../links/relation-types.ts'
import type { StoredLink } from '../links/store.ts'
import * as fields from '../operation/fields.ts'

/**
 * A memory: what it is in code, on the wire, and in contracts.
 *
 * - occurredAt: when what it tells took place; search dates and ages go by it. createdAt is when the server stored it.
 * - live: neither archived, nor expired, nor superseded; what search finds unless it is asked for more.
 * - superseded: a newer memory took its place and it stays readable by id.
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
  accessCount: number
  lastAccessedAt: number | undefined
  contentRevision: number
  version: number
  createdAt: number
  updatedAt: number
  head: MemoryHead
}

/** All that is short and sealed together, apart from the content, which may be long and is not always needed. */
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
  /** Where a task's title ends in the content, where this was put together of title and description. */
  titleChars?: number | undefined
  /**
   * The operation that wrote it; with integrationId the part of its origin that no agent can claim. Both are said of an imported
   * memory by the person who imports it.
   */
  route: string
}

/** The operation by which people write memories of their own. */
export const personsRoute = 'add-memory'

/** With those by which they write what is a memory as well. */
const personsRoutes: ReadonlySet<string> = new Set([personsRoute, 'add-task'])

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

/** What a caller may say of a memory, when it is written and when it is changed. */
export const writableFields = {
  content: z.string().min(1).max(100_000).describe('What to remember, 1 to 100,000 characters.'),
  summary: z.string().max(2000).optional().describe('Short form, at most 2,000 characters.'),
  memoryType: z.enum(memoryTypes).default('fact').describe('Kind of memory.'),
  importance: fields.importance.default(3).describe('1 (trivial) to 5 (vital).'),
  confidence: fields.importance.default(3).describe('1 (a guess) to 5 (certain).'),
  entities: z
    .array(z.string().min(1).max(200))
    .max(maxListed)
    .optional()
    .describe('Names that the memory is about, to filter by; at most 100.'),
  relatedMemoryIds: z
    .array(relatedMemory)
    .max(maxListed)
    .optional()
    .describe('Memories of the same vault to link to: ids, or objects with a relationType and a label.'),
  sourceNoteIds: z.array(z.uuid()).max(maxListed).optional().describe('Notes that it was derived from.'),
  supersededById: z.uuid().optional().describe('Id of the memory that this one supersedes and takes out of search.'),
  expiresAt: fields.timestamp.optional().describe('From when on it counts as gone.'),
  metadata: fields.metadata.optional(),
  writeReason: z.string().max(2000).optional().describe('Why it is written.'),
  occurredAt: fields.timestamp.optional().describe('When what it tells took place. Default: now.'),
}

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
      .describe('Memories that it links to, by its newest links; get-links lists them all.'),
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
    source: z.looseObject({
      integrationId: z.uuid().nullable(),
      route: z.string(),
      trust: z.string().describe('`user_authored` where a person wrote it, else `agent_authored`.'),
    }),
    accessCount: z.int(),
    lastAccessedAt: fields.timestamp.nullable(),
    occurredAt: fields.timestamp,
    version: z.int(),
    createdAt: fields.timestamp,
    updatedAt: fields.timestamp,
  })
  .meta({ id: 'Memory' })

export type MemoryRecord = z.infer<typeof memoryRecord>

/** The memory as it is sent; `links` are those that leave it. */
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
    source: { integrationId: memory.integrationId ?? null, route: head.route, trust: trustOf(memory) },
    accessCount: memory.accessCount,
    lastAccessedAt: isoTimeOrNull(memory.lastAccessedAt),
    occurredAt: isoTime(memory.occurredAt),
    version: memory.version,
    createdAt: isoTime(memory.createdAt),
    updatedAt: isoTime(memory.updatedAt),
  }
}

/** No agent writes by a person's route, and none without an integration; whoever imports a memory says both of it. */
const trustOf = ({ integrationId, head }: Memory) =>
  integrationId === undefined && personsRoutes.has(head.route) ? 'user_authored' : 'agent_authored'

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
  accessCount: 0,
  lastAccessedAt: null,
  occurredAt: '2026-11-21T09:00:00.000Z',
  version: 1,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
}

export const personsExample: MemoryRecord = {
  ...exampleMemory,
  memoryId: '0198c5f0-0000-7000-8000-000000000102',
  id: '0198c5f0-0000-7000-8000-000000000102',
  memoryType: 'constraint',
  content: 'Nothing is released on a Friday.',
  confidence: 3,
  entities: [],
  agentId: 'user',
  source: { integrationId: null, route: personsRoute, trust: 'user_authored' },
}
