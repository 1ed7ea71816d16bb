import type { Run } from '@holdfast/client/dashboard'
import { countOf, formatCount } from '../../components/text/time-text.ts'

/** What a run did, or is doing, in one line: mostly a sentence, whose full stop a title doesn't need. Falls back to its agent. */
export const titleOfRun = ({ work, currentActivity, agentId }: Pick<Run, 'work' | 'currentActivity' | 'agentId'>) =>
  (work.title ?? currentActivity ?? `Run of ${agentId}`).replace(/(?<!\.)\.$/, '')

/** `2 memories, 1 note`; undefined if it wrote none. */
export function countWork({ memories, tasks, notes }: Run['work']): string | undefined {
  const parts = [
    memories > 0 && countOf(memories, 'memory', 'memories'),
    tasks > 0 && countOf(tasks, 'task'),
    notes > 0 && countOf(notes, 'note'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** After this long without a call, an agent has probably stopped without ending its run. */
const idleMs = 10 * 60_000

export const isActive = ({ endedAt, lastSeenAt }: Pick<Run, 'endedAt' | 'lastSeenAt'>, nowMs: number): boolean =>
  endedAt === null && nowMs - Date.parse(lastSeenAt) < idleMs

/** `3 reads, 5 writes, 1 other`. The parts add up to the calls. */
export function splitCalls(run: Run): string {
  const others = countOthers(run)
  return [
    countOf(run.reads, 'read'),
    countOf(run.writes, 'write'),
    run.failures > 0 && countOf(run.failures, 'error'),
    others > 0 && `${formatCount(others)} other`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

/** Calls that neither read nor wrote, and didn't fail. */
const countOthers = ({ toolCalls, reads, writes, failures }: Run) => Math.max(0, toolCalls - reads - writes - failures)
