import { createMemory, type MemoryWriter } from '../memories/create-memory.ts'
import type { DedupThresholds } from '../memories/dedup.ts'
import type { ExtractedMemory } from './extract-memories.ts'
import type { Turn } from './turn-store.ts'

/**
 * Stores what was found in a turn, each memory for itself and with deduplication. Told twice of the same turn, it makes
 * nothing twice. Ids in the order given; where a memory was there already, its id.
 */
export async function storeExtracted(
  ctx: MemoryWriter,
  turn: Turn,
  memories: readonly ExtractedMemory[],
  { dedup, by }: { dedup: DedupThresholds; by: string },
): Promise<string[]> {
  const ids: string[] = []
  for (const [place, memory] of memories.entries()) {
    const { memoryId } = await createMemory(ctx, {
      content: memory.content,
      memoryType: memory.memoryType,
      importance: memory.importance,
      confidence: memory.confidence,
      head: {
        entities: memory.entities,
        sourceNoteIds: [],
        externalWriteId: `ingest-turn:${turn.turnId}:${place}`,
        writeReason: `Found in a turn of the ${turn.role} by ${by}.`,
        metadata: { turnId: turn.turnId },
        agentId: turn.agentId,
        agentRunId: turn.agentRunId,
        modelId: turn.modelId,
        route: 'ingest-turn',
      },
      relatedMemoryIds: [],
      supersedesId: undefined,
      expiresAt: undefined,
      occurredAt: turn.occurredAt,
      dedup,
    })
    ids.push(memoryId)
  }
  return [...new Set(ids)]
}
