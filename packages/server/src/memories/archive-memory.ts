import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { isoTime, type WriteTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { permitOf } from './related-memories.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { updateEntry } from '../vault-index/stored/store.ts'
import { nextSeq } from '../vaults/store.ts'
import { enforce, type Permit } from '../proposals/permit.ts'
import { proposalNotice, proposeInstead } from '../proposals/propose.ts'
import { writerOf } from '../operation/claimed-agent.ts'
import { askedMemory, removedBy } from './authorship.ts'
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
    archived: z.boolean().describe('False only if the change was proposed.'),
    alreadyArchived: z.boolean(),
    archivedAt: fields.timestamp.nullable().describe('null only if the change was proposed.'),
    vaultId: z.uuid(),
    proposal: proposalNotice,
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
  async run(input, ctx) {
    const { memoryId } = input
    const by = writerOf(ctx, input)
    const answer = { memoryId, vaultId: ctx.vault.id }
    try {
      const archiving = { by, reason: input.reason, permit: permitOf(ctx) }
      const { archivedAt, wasArchived } = await archiveOne(ctx, memoryId, archiving)
      return { ...answer, archived: true, alreadyArchived: wasArchived, archivedAt: isoTime(archivedAt) }
    } catch (error) {
      const { proposal } = await proposeInstead(ctx, error, { operation: 'archive-memory', input, by })
      return { ...answer, archived: false, alreadyArchived: false, archivedAt: null, proposal }
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
      const seq = await nextSeq(tx, vault)
      const all: Changed[] = []
      for (const memory of await findMemories(tx, vault, ids)) {
        const updated = memory.archivedAt === undefined
        const after = updated ? await archive(tx, vault, { seq, at: now() }, { memory, reason: why, by: {} }) : memory
        all.push({ memory: after, updated })
      }
      about('memory', all.map(idOf))
      return all
    })
    return describeChanged(ids, changed)
  },
})

interface Archiving {
  reason: string | undefined
  by: { integrationId?: string | undefined }
}

/** 404 if the memory doesn't exist. If it is archived already, nothing is written. */
export async function archiveOne(
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  memoryId: string,
  { permit, ...why }: Archiving & { permit: Permit<Memory> },
): Promise<{ archivedAt: number; wasArchived: boolean }> {
  const before = await getMemory(db.read, vault, memoryId)
  if (before.archivedAt !== undefined) return { archivedAt: before.archivedAt, wasArchived: true }
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    const memory = await getMemory(tx, vault, memoryId)
    if (memory.archivedAt !== undefined) return { archivedAt: memory.archivedAt, wasArchived: true }
    enforce(await permit(tx, memory), () => askedMemory(memory))
    const at = now()
    await archive(tx, vault, { seq, at }, { memory, ...why })
    return { archivedAt: at, wasArchived: false }
  })
}

/** Archives a live memory and its index entry under the vault's change number, and returns the archived memory. */
export async function archive(
  tx: Tx,
  scope: VaultScope,
  { seq, at }: WriteTime,
  { memory, reason: why, by }: Archiving & { memory: Memory },
): Promise<Memory> {
  const changed = { ...removedBy(memory, by), archivedAt: at, version: memory.version + 1, updatedAt: at }
  const after =
    why === undefined
      ? changed
      : { ...changed, contentRevision: memory.contentRevision + 1, head: { ...memory.head, archiveReason: why } }
  return store(tx, scope, seq, { memory: after, resealed: why !== undefined, change: 'archived' })
}

/** Undoes `archive`. A superseded memory stays hidden, so it keeps who removed it. */
export const unarchive = (tx: Tx, scope: VaultScope, { seq, at }: WriteTime, memory: Memory): Promise<Memory> =>
  store(tx, scope, seq, {
    memory: {
      ...memory,
      archivedAt: undefined,
      removedById: memory.supersededById === undefined ? undefined : memory.removedById,
      version: memory.version + 1,
      updatedAt: at,
    },
    resealed: false,
    change: 'updated',
  })

async function store(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { memory, ...how }: { memory: Memory; resealed: boolean; change: 'archived' | 'updated' },
): Promise<Memory> {
  await updateMemory(tx, scope, memory, how)
  await updateEntry(tx, scope, seq, { itemId: memory.memoryId, facts: { archived: archivedFact(memory) } })
  return memory
}
