import type { CleanupMemoriesInput, CleanupMemoriesOutput } from '@holdfast/client'
import type { Answer } from '../render/compose.ts'
import { recordLines } from '../render/record.ts'
import { ToolProblem } from '../tool-problem.ts'
import type { ToolCall } from '../tool.ts'

/**
 * Archiving in bulk in two steps: a dry run tells what would go, and what it answers has to come back for the real run, which
 * looks once more whether the same memories are meant. No model can archive what it has not been shown.
 */
export async function cleanUp(args: Readonly<Record<string, unknown>>, { call }: ToolCall): Promise<Answer> {
  const { confirm, dryRun = true, ...filters } = args as CleanupMemoriesInput & { confirm?: string }
  const planned = await call('cleanup-memories', { ...filters, dryRun: true })
  const expected = tokenOf(planned)
  if (dryRun)
    return {
      head: [
        `would archive ${planned.memoryIds.length} memories. To do so: dryRun=false, confirm="${expected}", same filters.`,
      ],
      recalled: recordLines(planned),
      data: { ...planned, confirm: expected },
    }
  if (confirm !== expected)
    throw new ToolProblem(
      'CONFIRM',
      `${confirm === undefined ? 'this archives memories' : 'other memories match now'}. Look at the dry run (dryRun=true, same filters) and send what it answers as confirm.`,
    )
  const done = await call('cleanup-memories', { ...filters, dryRun: false })
  return { head: [`archived ${done.archived} memories`], recalled: recordLines(done), data: { ...done } }
}

/** Of the count and the random parts of all ids together: other memories give another one. */
function tokenOf({ memoryIds }: CleanupMemoriesOutput): string {
  const mixed = memoryIds.reduce((sum, id) => sum ^ BigInt(`0x${id.slice(-12)}`), 0n)
  return `${memoryIds.length}-${mixed.toString(16)}`
}
