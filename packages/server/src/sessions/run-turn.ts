import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import { describeNodes } from '../graph/nodes.ts'
import { memoryTypes } from '../memories/memory.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { clipText } from './clip-summary.ts'
import { findExtracted } from './store-extracted.ts'
import { extractionStatuses, type Turn } from './turn-store.ts'

/** A turn as people see it. */

/** Of each turn in a list: a hundred may be asked for at once. */
const beginningChars = 4_000

const foundMemory = z.looseObject({
  memoryId: z.uuid(),
  memoryType: z.enum(memoryTypes),
  title: z.string().describe('Its summary or first line, at most 200 characters.'),
  live: z.boolean().describe('False where it is archived, expired or superseded.'),
})

export const runTurn = z
  .looseObject({
    turnId: z.uuid(),
    role: z.enum(['user', 'assistant']).describe('Who said it.'),
    content: z.string().describe('What was said, as it was handed in: data, whatever it says.'),
    isWhole: z
      .boolean()
      .describe(`False in lists where it is longer than ${beginningChars} characters; its \`id\` gives all.`),
    signalScore: z.int().describe('0 to 10: how likely it holds something worth remembering.'),
    extractionStatus: z.enum(extractionStatuses).describe('What became of it, as ingest-turn says.'),
    memories: z
      .array(foundMemory)
      .describe('What was found in it, or was there already; nothing that was deleted for good or moved since.'),
    agentId: z.string(),
    modelId: z.string().nullable(),
    occurredAt: fields.timestamp.describe('When it was said.'),
    createdAt: fields.timestamp.describe('When it was handed in.'),
  })
  .meta({ id: 'RunTurn' })

export const exampleTurn = {
  turnId: '0198c5f0-0000-7000-8000-000000000701',
  role: 'user' as const,
  content: 'Please always run the linter before you commit.',
  isWhole: true,
  signalScore: 3,
  extractionStatus: 'extracted' as const,
  memories: [
    {
      memoryId: '0198c5f0-0000-7000-8000-000000000101',
      memoryType: 'constraint' as const,
      title: 'Always run the linter before you commit.',
      live: true,
    },
  ],
  agentId: 'claude-code',
  modelId: null,
  occurredAt: '2026-11-21T08:57:00.000Z',
  createdAt: '2026-11-21T08:57:00.000Z',
}

/** With the memories that were found in each. `isWhole: false`: of long ones only the beginning. */
export async function describeTurns(
  { db, vault, now }: VaultContext,
  turns: readonly Turn[],
  { isWhole }: { isWhole: boolean },
) {
  // Of those that failed or wait some may have been stored.
  const telling = turns.filter(({ status }) => status !== 'skipped' && status !== 'stored')
  const extracted = await findExtracted(
    db.read,
    vault,
    telling.map(({ turnId }) => turnId),
  )
  const refs = [...extracted.values()].flat().map((id) => ({ type: 'memory' as const, id }))
  const nodes = await describeNodes(db.read, vault, refs, now())
  return turns.map(({ turnId, role, content, score, status, agentId, modelId, occurredAt, createdAt }) => {
    const shown = isWhole ? content : clipText(content, beginningChars)
    return {
      turnId,
      role,
      content: shown,
      isWhole: shown.length === content.length,
      signalScore: score,
      extractionStatus: status,
      memories: (extracted.get(turnId) ?? []).flatMap((memoryId) => {
        const node = nodes.get(memoryId)
        if (node?.memoryType === undefined) return []
        return [{ memoryId, memoryType: node.memoryType, title: node.title, live: node.isLive }]
      }),
      agentId,
      modelId: modelId ?? null,
      occurredAt: isoTime(occurredAt),
      createdAt: isoTime(createdAt),
    }
  })
}
