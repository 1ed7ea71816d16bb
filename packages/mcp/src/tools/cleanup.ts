import type { CleanupMemoriesInput, CleanupMemoriesOutput } from '@holdfast/client'
import type { Answer } from '../render/compose.ts'
import { memoryLine } from '../render/memories.ts'
import { ToolProblem } from '../tool-problem.ts'
import type { ToolCall } from '../tool.ts'

/**
 * Archiving in bulk in two steps: a dry run tells what would go, and what it answers has to come back for the real run, which
 * looks once more whether the same memories are meant, and takes back what began to match in that moment. No model can
 * archive what it has not been shown.
 */
export async function cleanUp(args: Readonly<Record<string, unknown>>, { call, now }: ToolCall): Promise<Answer> {
  const { confirm, dryRun = true, ...filters } = args as CleanupMemoriesInput & { confirm?: string }
  const planned = await call('cleanup-memories', { ...filters, dryRun: true })
  const expected = await tokenOf(planned)
  if (dryRun)
    return {
      head: [
        `would archive ${planned.memoryIds.length} memories. To do so: dryRun=false, confirm="${expected}", same filters.`,
      ],
      recalled: await plannedLines(planned.memoryIds, call, now),
      tail: tailOf(planned),
      data: { ...planned, confirm: expected },
    }
  if (confirm !== expected)
    throw new ToolProblem(
      'CONFIRM',
      `${confirm === undefined ? 'this archives memories' : 'other memories match now'}. Look at the dry run (dryRun=true, same filters) and send what it answers as confirm.`,
    )
  const done = await call('cleanup-memories', { ...filters, dryRun: false })
  const shown = new Set(planned.memoryIds)
  const others = done.memoryIds.filter((id) => !shown.has(id))
  for (const memoryId of others) await call('update-memory', { memoryId, archived: false })
  return {
    head: [
      `archived ${done.archived - others.length} memories`,
      ...(others.length > 0 ? [`${others.length} that began to match meanwhile were restored`] : []),
    ],
    recalled: idLines(done.memoryIds.filter((id) => shown.has(id))),
    tail: [...tailOf(done), ...(done.hint === undefined ? [] : [done.hint])],
    data: { ...done },
  }
}

const idLines = (ids: readonly string[]) => ids.map((id) => `- m:${id}`)

/** As many as one call reads are shown as they are, the others by their ids. */
const mostShown = 50

async function plannedLines(ids: readonly string[], call: ToolCall['call'], now: number): Promise<string[]> {
  const shown = ids.slice(0, mostShown)
  const { memories } = shown.length === 0 ? { memories: [] } : await call('read-memories', { memoryIds: shown })
  const known = new Map(memories.map((memory) => [memory.memoryId, memoryLine(memory, now)]))
  return ids.map((id) => known.get(id) ?? `- m:${id}`)
}

/** Not what the service says to do next after a dry run: here it is what the first line says. */
const tailOf = ({ matched, skippedProtected, nextAfter }: CleanupMemoriesOutput) => [
  `matched: ${matched}, protected: ${skippedProtected}`,
  ...(nextAfter === undefined
    ? []
    : [`nextAfter: ${nextAfter} (not all were compared yet: as afterMemoryId it goes on)`]),
]

/** Of exactly these ids. */
async function tokenOf({ memoryIds }: CleanupMemoriesOutput): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(memoryIds.toSorted().join()))
  return `${memoryIds.length}-${Buffer.from(digest).toString('hex', 0, 12)}`
}
