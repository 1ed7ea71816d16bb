import { z } from 'zod'
import { claimedAgentId } from '../operation/claimed-agent.ts'
import { ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { createMemory } from './create-memory.ts'
import { memoryRecord, personsExample, personsRoute, writableFields } from './memory.ts'
import { readRecord } from './read-record.ts'

export const addMemory = operation({
  name: personsRoute,
  for: { person: 'POST /api/memories' },
  vault: 'required',
  summary: 'Store a memory of your own. It is written under the agent name "user".',
  effect: 'write',
  changes: ['memories', 'tasks'],
  bodyLimitBytes: 2 * 1024 * 1024,
  input: z.object({ ...ownVault, ...writableFields }),
  output: z.looseObject({ memory: memoryRecord }),
  returns: ({ memory }) => refs('memory', memory.memoryId),
  examples: {
    input: {
      vaultId: personsExample.vaultId,
      content: personsExample.content,
      memoryType: 'constraint',
      importance: 4,
    },
    output: { memory: personsExample },
  },
  created: () => true,
  async run({ vaultId: _vault, ...input }, ctx) {
    const { memoryId } = await createMemory(ctx, {
      content: input.content,
      memoryType: input.memoryType,
      importance: input.importance,
      confidence: input.confidence,
      head: {
        summary: input.summary,
        entities: input.entities ?? [],
        sourceNoteIds: input.sourceNoteIds ?? [],
        writeReason: input.writeReason,
        metadata: input.metadata ?? {},
        agentId: claimedAgentId(ctx, undefined),
        route: personsRoute,
      },
      relatedMemoryIds: input.relatedMemoryIds ?? [],
      supersedesId: input.supersededById,
      expiresAt: input.expiresAt === undefined ? undefined : Date.parse(input.expiresAt),
      occurredAt: input.occurredAt === undefined ? undefined : Date.parse(input.occurredAt),
    })
    return { memory: await readRecord(ctx, memoryId) }
  },
})
