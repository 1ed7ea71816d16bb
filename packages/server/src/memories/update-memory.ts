import { z } from 'zod'
import { conflict, invalid, notFound } from '../core/errors.ts'
import type { JsonValue } from '../core/json.ts'
import type { Tx } from '../db/dialect.ts'
import { insertLink } from '../links/store.ts'
import type { AgentVaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { nextSeq } from '../vaults/store.ts'
import { updateEntry } from '../vault-index/store.ts'
import { linkTo, relatedId, supersede } from './create-memory.ts'
import { prepareEntry, type PreparedEntry } from './index-memory.ts'
import { memoryTypes, writableFields, type Memory } from './memory.ts'
import { findMemories, getMemory, listExistingIds, updateMemory as storeMemory } from './store.ts'

const bodyLimitBytes = 2 * 1024 * 1024

const input = z.object({
  memoryId: fields.memoryId,
  content: writableFields.content.optional(),
  summary: writableFields.summary,
  memoryType: z.enum(memoryTypes).optional().describe('Kind of memory.'),
  importance: fields.importance.optional().describe('1 (trivial) to 5 (vital).'),
  confidence: fields.importance.optional().describe('1 (a guess) to 5 (certain).'),
  entities: writableFields.entities,
  relatedMemoryIds: writableFields.relatedMemoryIds,
  sourceNoteIds: writableFields.sourceNoteIds,
  supersededById: writableFields.supersededById,
  expiresAt: fields.timestamp.nullable().optional().describe('From when on it counts as gone; null: never.'),
  metadata: fields.metadata.optional().describe('Merged into what is there; a key set to null is deleted.'),
  writeReason: writableFields.writeReason,
  occurredAt: writableFields.occurredAt,
  archived: z.literal(false).optional().describe('false restores an archived memory; archive-memory archives.'),
  expectedVersion: fields.expectedVersion,
  ...fields.inVault,
})

type Input = z.output<typeof input>

export const updateMemory = operation({
  name: 'update-memory',
  scopes: ['write'],
  vault: 'resolved',
  summary: 'Change a memory, or restore an archived one. Fields left out stay as they are.',
  effect: 'write',
  alias: 'memoryId',
  bodyLimitBytes,
  input,
  output: z.looseObject({
    memoryId: z.uuid(),
    updated: z.boolean().describe('False where nothing was to change.'),
    version: z.int(),
    vaultId: z.uuid(),
    memoryType: z.enum(memoryTypes),
    updatedAt: fields.timestamp,
  }),
  examples: {
    input: { memoryId: '0198c5f0-0000-7000-8000-000000000101', importance: 5, metadata: { reviewed: true } },
    output: {
      memoryId: '0198c5f0-0000-7000-8000-000000000101',
      updated: true,
      version: 2,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      memoryType: 'preference',
      updatedAt: '2026-11-21T09:30:00.000Z',
    },
  },
  async run(change, ctx) {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const answer = await tryUpdate(change, ctx)
      if (answer !== undefined) return answer
    }
    throw conflict('The memory is being changed by others all the time; try again')
  },
})

// Embedding happens outside the transaction, so that a memory that changes meanwhile is read again and merged anew.
const maxAttempts = 5

async function tryUpdate(change: Input, ctx: AgentVaultContext) {
  const { db, vault, now } = ctx
  const before = await getMemory(db.read, vault, change.memoryId)
  refuseOtherVersion(change, before)
  const after = merge(before, change, now())
  if (!fields.fitsMetadata(after.head.metadata)) throw invalid({ metadata: `${fields.metadataLimit}, once merged` })
  const isUnchanged =
    isSame(before, after) && (change.relatedMemoryIds ?? []).length === 0 && change.supersededById === undefined
  if (isUnchanged) return describe(before, false)
  const entry = isIndexedAlike(before, after) ? undefined : await prepareEntry(ctx, after)
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const current = await getMemory(tx, vault, change.memoryId)
    if (current.version !== before.version) return undefined
    await link(tx, ctx, seq, after, change)
    await store(tx, ctx, seq, after, entry)
    return describe(after, true)
  })
}

function refuseOtherVersion({ expectedVersion }: Input, { version }: Memory): void {
  if (expectedVersion !== undefined && expectedVersion !== version)
    throw conflict(`The memory has version ${version}, not ${expectedVersion}; read it again and decide anew`)
}

function merge(before: Memory, change: Input, at: number): Memory {
  const { head } = before
  return {
    ...before,
    content: change.content ?? before.content,
    memoryType: change.memoryType ?? before.memoryType,
    importance: change.importance ?? before.importance,
    confidence: change.confidence ?? before.confidence,
    supersedesId: change.supersededById ?? before.supersedesId,
    expiresAt:
      change.expiresAt === undefined
        ? before.expiresAt
        : change.expiresAt === null
          ? undefined
          : Date.parse(change.expiresAt),
    occurredAt: change.occurredAt === undefined ? before.occurredAt : Date.parse(change.occurredAt),
    archivedAt: change.archived === false ? undefined : before.archivedAt,
    contentRevision: before.contentRevision + 1,
    version: before.version + 1,
    updatedAt: at,
    head: {
      ...head,
      summary: change.summary ?? head.summary,
      entities: change.entities ?? head.entities,
      sourceNoteIds: change.sourceNoteIds ?? head.sourceNoteIds,
      writeReason: change.writeReason ?? head.writeReason,
      metadata: change.metadata === undefined ? head.metadata : mergePatch(head.metadata, change.metadata),
      modelId: change.modelId ?? head.modelId,
      archiveReason: change.archived === false ? undefined : head.archiveReason,
    },
  }
}

/** RFC 7396, on null-prototype objects, so that a key named `__proto__` is a key like any other. */
export function mergePatch(
  target: Record<string, JsonValue>,
  patch: Record<string, JsonValue>,
): Record<string, JsonValue> {
  const merged: Record<string, JsonValue> = Object.assign(Object.create(null) as Record<string, JsonValue>, target)
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = isObject(value) ? mergePatch(isObject(merged[key]) ? merged[key] : {}, value) : value
  }
  return merged
}

const isObject = (value: JsonValue | undefined): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (before: Memory, after: Memory) => JSON.stringify(lasting(before)) === JSON.stringify(lasting(after))

const lasting = ({ contentRevision: _revision, version: _version, updatedAt: _at, ...rest }: Memory) => rest

const isIndexedAlike = (a: Memory, b: Memory) =>
  a.content === b.content &&
  a.head.summary === b.head.summary &&
  a.occurredAt === b.occurredAt &&
  JSON.stringify(a.head.entities) === JSON.stringify(b.head.entities)

async function link(tx: Tx, ctx: AgentVaultContext, seq: number, memory: Memory, change: Input): Promise<void> {
  const { vault } = ctx
  const related = change.relatedMemoryIds ?? []
  const existing = await listExistingIds(
    tx,
    vault,
    related.map((relation) => relatedId(relation)),
  )
  for (const relation of related) {
    if (relatedId(relation) === memory.memoryId)
      throw invalid({ relatedMemoryIds: 'a memory cannot be linked to itself' })
    if (!existing.has(relatedId(relation))) throw notFound('Memory')
    await insertLink(tx, vault, seq, linkTo(memory.memoryId, relation), memory.updatedAt)
  }
  if ((change.sourceNoteIds ?? []).length > 0) throw notFound('Note')
  const superseded = change.supersededById
  if (superseded === undefined) return
  await refuseCycle(tx, ctx, memory, superseded)
  await supersede(tx, ctx, seq, superseded, memory)
  await insertLink(
    tx,
    vault,
    seq,
    { ...linkTo(memory.memoryId, superseded), relationType: 'supersedes' },
    memory.updatedAt,
  )
}

/** Follows what supersedes this memory: if that ends at the one to be superseded, both would be out of date for ever. */
async function refuseCycle(tx: Tx, { vault }: AgentVaultContext, memory: Memory, superseded: string): Promise<void> {
  for (let next: string | undefined = memory.memoryId; next !== undefined;) {
    if (next === superseded) throw invalid({ supersededById: 'a memory cannot supersede itself or what supersedes it' })
    const [newer] = await findMemories(tx, vault, [next])
    next = newer?.supersededById
  }
}

async function store(
  tx: Tx,
  { vault }: AgentVaultContext,
  seq: number,
  memory: Memory,
  entry: PreparedEntry | undefined,
): Promise<void> {
  await storeMemory(tx, vault, memory, { resealed: true })
  const facts = {
    type: memory.memoryType,
    importance: memory.importance,
    archived: memory.archivedAt === undefined ? 0 : 1,
    occurredAt: memory.occurredAt,
    expiresAt: memory.expiresAt ?? null,
  }
  await updateEntry(tx, vault, memory.memoryId, seq, { ...facts, ...entry?.facts }, entry?.bytes)
}

const describe = (memory: Memory, updated: boolean) => ({
  memoryId: memory.memoryId,
  updated,
  version: memory.version,
  vaultId: memory.vaultId,
  memoryType: memory.memoryType,
  updatedAt: new Date(memory.updatedAt).toISOString(),
})
