import type { CleanupMemoriesInput, CleanupMemoriesOutput } from '@holdfast/client'
import type { Answer } from '../render/compose.ts'
import { counted } from '../render/one-line.ts'
import { memoryLine } from '../render/memories.ts'
import { ToolProblem } from '../tool-problem.ts'
import type { ToolCall } from '../tool.ts'

/**
 * Archives in bulk in two steps. A dry run shows what would be archived and returns a token. The real run requires this token,
 * checks that the same memories match, and restores any that start to match while it runs. So a model can archive only what
 * it has seen.
 */
export async function cleanUp(args: Readonly<Record<string, unknown>>, { call, now }: ToolCall): Promise<Answer> {
  const { confirm, dryRun = true, ...filters } = args as CleanupMemoriesInput & { confirm?: string }
  const planned = await call('cleanup-memories', { ...filters, dryRun: true })
  const expected = await computeToken(planned)
  if (dryRun)
    return {
      head: [
        `would archive ${counted(planned.memoryIds.length, 'memory', 'memories')}. To do so: dryRun=false, confirm="${expected}", same filters.`,
      ],
      recalled: await plannedLines(planned.memoryIds, call, now),
      tail: printCounts(planned),
      data: { ...planned, confirm: expected },
    }
  if (confirm !== expected)
    throw new ToolProblem(
      'CONFIRM',
      `${confirm === undefined ? 'this archives memories' : 'other memories match now'}. Check the dry run (dryRun=true, same filters) and pass its confirm value.`,
    )
  const done = await call('cleanup-memories', { ...filters, dryRun: false })
  const shown = new Set(planned.memoryIds)
  const others = done.memoryIds.filter((id) => !shown.has(id))
  for (const memoryId of others) await call('update-memory', { memoryId, archived: false })
  return {
    head: [
      `archived ${done.archived - others.length} memories`,
      ...(others.length > 0 ? [`restored ${others.length} that started to match in the meantime`] : []),
    ],
    recalled: idLines(done.memoryIds.filter((id) => shown.has(id))),
    tail: [...printCounts(done), ...(done.hint === undefined ? [] : [done.hint])],
    data: { ...done },
  }
}

const idLines = (ids: readonly string[]) => ids.map((id) => `- m:${id}`)

/** Shows as many memories as one call can read; the others only by id. */
const maxShown = 50

async function plannedLines(ids: readonly string[], call: ToolCall['call'], now: number): Promise<string[]> {
  const shown = ids.slice(0, maxShown)
  const { memories } = shown.length === 0 ? { memories: [] } : await call('read-memories', { memoryIds: shown })
  const known = new Map(memories.map((memory) => [memory.memoryId, memoryLine(memory, now)]))
  return ids.map((id) => known.get(id) ?? `- m:${id}`)
}

/** Leaves out the server's hint after a dry run, because the first line already says what to do. */
const printCounts = ({ matched, skippedProtected, nextAfter }: CleanupMemoriesOutput) => [
  `matched: ${matched}, protected: ${skippedProtected}`,
  ...(nextAfter === undefined
    ? []
    : [`nextAfter: ${nextAfter} (not all compared yet; pass it as afterMemoryId to continue)`]),
]

/** Computes a token of exactly these ids. */
async function computeToken({ memoryIds }: CleanupMemoriesOutput): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(memoryIds.toSorted().join()))
  return `${memoryIds.length}-${Buffer.from(digest).toString('hex', 0, 12)}`
}
