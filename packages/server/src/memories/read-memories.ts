import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { invalid } from '../core/errors.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { listNewestLinksFrom } from '../links/graph-store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { describeVersion, memoryVersion } from './former-text.ts'
import { describeMemory, exampleMemory, type Memory, type MemoryRecord, memoryRecord } from './memory.ts'
import { findMemories, getMemory } from './store.ts'
import { listFormerTexts } from './version-store.ts'

export const readMemories = operation({
  name: 'read-memories',
  for: { agent: { toolset: 'memory', scopes: ['read'] } },
  vault: 'resolved',
  summary: 'Read memories by id, with their full content. Archived ones are included and marked.',
  effect: 'read',
  alias: 'memoryIds',
  input: z.object({
    memoryIds: fields.memoryIds,
    includeVersions: z
      .boolean()
      .default(false)
      .describe(
        'Also return the older versions of the memory, which other writers or runs replaced. Only with one id.',
      ),
    ...fields.inVault,
  }),
  output: z.looseObject({
    memories: z.array(memoryRecord).describe('In the order of the ids.'),
    notFound: z.array(z.uuid()).describe('Ids that match no memory of this vault.'),
    versions: z.array(memoryVersion).optional().describe('With includeVersions: older versions, latest first.'),
  }),
  returns: ({ memories }) => memories.flatMap(({ memoryId: id }) => refs('memory', id)),
  examples: { input: { memoryIds: [exampleMemory.memoryId] }, output: { memories: [exampleMemory], notFound: [] } },
  async run({ memoryIds, includeVersions }, ctx) {
    const { db, vault, lastUsed, now, about } = ctx
    const ids = [...new Set(memoryIds)]
    if (includeVersions && ids.length > 1) throw invalid({ includeVersions: 'only with one memory id' })
    const found = await findMemories(db.read, vault, ids)
    const byId = new Map(found.map((memory) => [memory.memoryId, memory]))
    about('memory', [...byId.keys()])
    const links = await listNewestLinksFrom(db.read, vault, [...byId.keys()])
    for (const id of byId.keys()) lastUsed.record('memories', id, { userId: vault.userId, vaultId: vault.id }, now())
    const memories = ids.flatMap((id) => byId.get(id) ?? []).map((memory) => describeMemory(memory, links))
    const versions = includeVersions ? await readVersions(db.read, vault, found) : undefined
    await addKeyLabels(ctx, [...memories, ...(versions ?? [])])
    return {
      memories,
      notFound: ids.filter((id) => !byId.has(id)),
      ...(versions && { versions }),
    }
  },
})

const readVersions = async (db: Reader, vault: VaultScope, [memory]: readonly Memory[]) =>
  memory === undefined
    ? []
    : (await listFormerTexts(db, vault, memory.memoryId)).map((former) => describeVersion(memory, former))

/** A memory with the memories it links to; 404 if it doesn't exist. Doesn't count as a recall. */
export async function readRecord(
  ctx: Pick<VaultContext, 'actor' | 'db' | 'instance' | 'vault'>,
  id: string,
): Promise<MemoryRecord> {
  const { db, vault } = ctx
  const memory = await getMemory(db.read, vault, id)
  const record = describeMemory(memory, await listNewestLinksFrom(db.read, vault, [id]))
  await addKeyLabels(ctx, [record])
  return record
}
