import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { listNewestLinksFrom } from '../links/graph-store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { describeMemory, exampleMemory, type MemoryRecord, memoryRecord } from './memory.ts'
import { findMemories, getMemory } from './store.ts'

export const readMemories = operation({
  name: 'read-memories',
  for: { agent: { toolset: 'memory', scopes: ['read'] } },
  vault: 'resolved',
  summary: 'Read memories by id, with their full content. Archived ones are included and marked.',
  effect: 'read',
  alias: 'memoryIds',
  input: z.object({ memoryIds: fields.memoryIds, ...fields.inVault }),
  output: z.looseObject({
    memories: z.array(memoryRecord).describe('In the order of the ids.'),
    notFound: z.array(z.uuid()).describe('Ids that match no memory of this vault.'),
  }),
  returns: ({ memories }) => memories.flatMap(({ memoryId: id }) => refs('memory', id)),
  examples: { input: { memoryIds: [exampleMemory.memoryId] }, output: { memories: [exampleMemory], notFound: [] } },
  async run({ memoryIds }, { db, vault, lastUsed, now, about }) {
    const ids = [...new Set(memoryIds)]
    const found = await findMemories(db.read, vault, ids)
    const byId = new Map(found.map((memory) => [memory.memoryId, memory]))
    about('memory', [...byId.keys()])
    const links = await listNewestLinksFrom(db.read, vault, [...byId.keys()])
    for (const id of byId.keys()) lastUsed.record('memories', id, { userId: vault.userId, vaultId: vault.id }, now())
    return {
      memories: ids.flatMap((id) => byId.get(id) ?? []).map((memory) => describeMemory(memory, links)),
      notFound: ids.filter((id) => !byId.has(id)),
    }
  },
})

/** A memory with the memories it links to; 404 if it doesn't exist. Doesn't count as a recall. */
export async function readRecord({ db, vault }: Pick<VaultContext, 'db' | 'vault'>, id: string): Promise<MemoryRecord> {
  const memory = await getMemory(db.read, vault, id)
  return describeMemory(memory, await listNewestLinksFrom(db.read, vault, [id]))
}
