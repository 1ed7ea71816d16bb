import { setImmediate as nextTurn } from 'node:timers/promises'
import { isoTime } from '../core/time.ts'
import { isDamage } from '../auth/scope-key-store.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { externalTag, extractionKeys, findWrittenMemories, listClaimedTags } from '../memories/claim-store.ts'
import { createMemory, type MemoryDraft, type MemoryWriter } from '../memories/create-memory.ts'
import type { DedupThresholds } from '../memories/dedup.ts'
import { findErasable, findIntactMemories, getMemory } from '../memories/store.ts'
import type { ExtractedMemory } from './extract-memories.ts'
import { maxMemories } from './language-model.ts'
import { listSearchedTurnIds, type Turn } from './turn-store.ts'

/** The route that these memories are stored with. */
const route = 'ingest-turn'

/**
 * Stores the memories found in a turn, one by one and with deduplication. Repeating it for the same turn stores nothing twice.
 * Returns ids in the given order; for a duplicate, the id of the existing memory.
 */
export async function storeExtracted(
  ctx: MemoryWriter,
  turn: Turn,
  memories: readonly ExtractedMemory[],
  { dedup, by, permit }: { dedup: DedupThresholds; by: string; permit: MemoryDraft['permit'] },
): Promise<string[]> {
  const ids: string[] = []
  for (const [place, memory] of memories.entries()) {
    const key = writeIdOf(turn.turnId, place)
    const [taken] = (await findWrittenMemories(ctx.db.read, ctx.vault, 'memory', [key])).values()
    const isForged = taken !== undefined && (await listForged(ctx.db.read, ctx.vault, [taken])).has(taken)
    const { memoryId } = await createMemory(ctx, {
      content: memory.content,
      memoryType: memory.memoryType,
      importance: memory.importance,
      confidence: memory.confidence,
      entities: memory.entities,
      origin: { agentId: turn.agentId, agentRunId: turn.agentRunId, modelId: turn.modelId, route },
      // Without a key if another record has it: the turn's own memory is stored all the same.
      externalWriteId: isForged ? undefined : key,
      writeReason: `Found in a turn of the ${turn.role} by ${by}.`,
      metadata: { turnId: turn.turnId },
      occurredAt: isoTime(turn.occurredAt),
      dedup,
      permit,
    })
    ids.push(memoryId)
  }
  return [...new Set(ids)]
}

/**
 * The memories with a key of a turn that no turn has stored: before such keys were refused, any write could choose one, and a file still
 * can. A memory that already said the same has another key, or none.
 */
async function listForged(db: Reader, scope: VaultScope, memoryIds: readonly string[]): Promise<ReadonlySet<string>> {
  const memories = await findIntactMemories(db, scope, memoryIds)
  const forged = memories.filter(
    ({ head }) => head.route !== route && head.externalWriteId?.startsWith(extractionKeys) === true,
  )
  return new Set(forged.map(({ memoryId }) => memoryId))
}

const writeIdOf = (turnId: string, place: number) => `${extractionKeys}${turnId}:${place}`

/** The most memories of one turn: the language model finds up to this many, the rules at most 10. */
const places = Array.from({ length: maxMemories }, (_, place) => place)
const turnsAtOnce = 20

/**
 * The ids of the memories found in each turn, in order, including memories that already existed. Memories that were deleted
 * permanently or moved to another vault since are left out.
 */
export async function findExtracted(
  db: Reader,
  scope: VaultScope,
  turnIds: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (let at = 0; at < turnIds.length; at += turnsAtOnce) {
    const some = turnIds.slice(at, at + turnsAtOnce)
    const keys = some.flatMap((turnId) => places.map((place) => writeIdOf(turnId, place)))
    const written = await findWrittenMemories(db, scope, 'memory', keys)
    const forged = await listForged(db, scope, [...new Set(written.values())])
    for (const turnId of some) {
      const ids = places.flatMap((place) => written.get(writeIdOf(turnId, place)) ?? [])
      found.set(turnId, [...new Set(ids.filter((id) => !forged.has(id)))])
    }
  }
  return found
}

/**
 * The ids of the turns in which a memory was found: the one it was created from, and the ones that said the same later. Throws if there is
 * no such memory. Only keyed tags tell which turns said the same, so if there are such tags, all turns are tried: about 60 µs each.
 */
export async function findSourceTurns(db: Reader, scope: VaultScope, memoryId: string): Promise<string[]> {
  const { turnId: first, tag } = await findOrigin(db, scope, memoryId)
  const found = new Set(first === undefined ? [] : [first])
  const claimed = new Set(await listClaimedTags(db, scope, memoryId))
  if (tag !== undefined) claimed.add(tag)
  const isClaimed = (turnId: string) =>
    places.some((place) => claimed.has(externalTag(scope, 'memory', writeIdOf(turnId, place)).toString('hex')))
  for (let before: string | undefined; claimed.size > 0;) {
    const some = await listSearchedTurnIds(db, scope, before)
    for (const turnId of some) if (isClaimed(turnId)) found.add(turnId)
    before = some.at(-1)
    if (before === undefined) break
    await nextTurn()
  }
  return [...found]
}

/** The turn that a memory was created from. Of a damaged memory, only the keyed tag of its idempotency key is known. */
async function findOrigin(
  db: Reader,
  scope: VaultScope,
  memoryId: string,
): Promise<{ turnId?: string | undefined; tag?: string }> {
  try {
    const { head } = await getMemory(db, scope, memoryId)
    // Agents and files choose their keys, but not their route.
    const key = head.route === route ? head.externalWriteId : undefined
    return {
      turnId: key?.startsWith(extractionKeys) === true ? key.slice(extractionKeys.length).split(':')[0] : undefined,
    }
  } catch (error) {
    if (!(await isDamage(db, error))) throw error
    const { externalTag: tag } = (await findErasable(db, scope, memoryId)) ?? {}
    return tag ? { tag: Buffer.from(tag).toString('hex') } : {}
  }
}
