import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { isoTime, type WriteTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { nextSeq } from '../vaults/store.ts'
import {
  changedMemories,
  describeChanged,
  exampleChanged,
  exampleIds,
  idOf,
  memoryIds,
  type Changed,
} from './bulk-changes.ts'
import { archivedFact } from './index-memory.ts'
import { exampleMemory, type Memory } from './memory.ts'
import { findMemories, getMemory, updateMemory } from './store.ts'

const reason = z.string().max(2000).optional().describe('Why it is archived. Kept with the memory.')

export const archiveMemory = operation({
  name: 'archive-memory',
  for: { agent: { toolset: 'memory', scopes: ['write'] } },
  vault: 'resolved',
  summary: 'Hide a memory from search without deleting it.',
  effect: 'destructive',
  changes: ['memories', 'tasks'],
  about: ({ memoryId }) => refs('memory', memoryId),
  alias: 'memoryId',
  input: z.object({ memoryId: fields.memoryId, reason, ...fields.inVault }),
  output: z.looseObject({
    memoryId: z.uuid(),
    archived: z.literal(true),
    alreadyArchived: z.boolean(),
    archivedAt: fields.timestamp,
    vaultId: z.uuid(),
  }),
  examples: {
    input: { memoryId: '0198c5f0-0000-7000-8000-000000000101', reason: 'No longer true' },
    output: {
      memoryId: '0198c5f0-0000-7000-8000-000000000101',
      archived: true,
      alreadyArchived: false,
      archivedAt: '2026-11-21T09:30:00.000Z',
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
    },
  },
  async run({ memoryId, reason: why }, ctx) {
    const { archivedAt, wasArchived } = await archiveOne(ctx, memoryId, why)
    return {
      memoryId,
      archived: true as const,
      alreadyArchived: wasArchived,
      archivedAt: isoTime(archivedAt),
      vaultId: ctx.vault.id,
    }
  },
})

/** For people, who select several at once. */
export const archiveMemories = operation({
  name: 'archive-memories',
  for: { person: 'POST /api/memories/archive' },
  vault: 'required',
  summary: 'Hide memories from search without deleting them. Archives either all of them or none.',
  effect: 'destructive',
  changes: ['memories', 'tasks'],
  input: z.object({ ...fields.ownVault, ids: memoryIds, reason }),
  output: changedMemories,
  examples: {
    input: { vaultId: exampleMemory.vaultId, ids: exampleIds, reason: 'No longer true' },
    output: exampleChanged,
  },
  async run({ ids, reason: why }, { db, vault, now, about }) {
    const changed = await db.write(async (tx) => {
      const seq = await nextSeq(tx, vault.userId, vault.id)
      const all: Changed[] = []
      for (const memory of await findMemories(tx, vault, ids)) {
        const updated = memory.archivedAt === undefined
        const after = updated ? await archive(tx, vault, { seq, at: now() }, { memory, reason: why }) : memory
        all.push({ memory: after, updated })
      }
      about('memory', all.map(idOf))
      return all
    })
    return describeChanged(ids, changed)
  },
})

/** 404 if the memory doesn't exist. If it is archived already, nothing is written. */
async function archiveOne(
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  memoryId: string,
  why: string | undefined,
): Promise<{ archivedAt: number; wasArchived: boolean }> {
  const before = await getMemory(db.read, vault, memoryId)
  if (before.archivedAt !== undefined) return { archivedAt: before.archivedAt, wasArchived: true }
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const memory = await getMemory(tx, vault, memoryId)
    if (memory.archivedAt !== undefined) return { archivedAt: memory.archivedAt, wasArchived: true }
    const at = now()
    await archive(tx, vault, { seq, at }, { memory, reason: why })
    return { archivedAt: at, wasArchived: false }
  })
}

/** Archives a live memory and its index entry under the vault's change number, and returns the archived memory. */
export async function archive(
  tx: Tx,
  scope: VaultScope,
  { seq, at }: WriteTime,
  { memory, reason: why }: { memory: Memory; reason: string | undefined },
): Promise<Memory> {
  const changed = { ...memory, archivedAt: at, version: memory.version + 1, updatedAt: at }
  const after =
    why === undefined
      ? changed
      : { ...changed, contentRevision: memory.contentRevision + 1, head: { ...memory.head, archiveReason: why } }
  return store(tx, scope, seq, { memory: after, resealed: why !== undefined })
}

/** Undoes `archive`. */
export const unarchive = (tx: Tx, scope: VaultScope, { seq, at }: WriteTime, memory: Memory): Promise<Memory> =>
  store(tx, scope, seq, {
    memory: { ...memory, archivedAt: undefined, version: memory.version + 1, updatedAt: at },
    resealed: false,
  })

async function store(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { memory, resealed }: { memory: Memory; resealed: boolean },
): Promise<Memory> {
  await updateMemory(tx, scope, memory, { resealed })
  await updateEntry(tx, scope, seq, { itemId: memory.memoryId, facts: { archived: archivedFact(memory) } })
  return memory
}
