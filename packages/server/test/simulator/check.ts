// Which promises a history broke.

import { leaseMs } from '../../src/jobs/lease-store.ts'
import { isLinearizable } from './linearizable.ts'
import { callsAbout, type HistoryLog } from './log.ts'
import { keyModel, leaseModel, memoryModel, taskModel } from './models.ts'
import { eventKey } from './receiver.ts'

/** What is stored when everything is quiet again. */
export interface Stored {
  memories: { id: string; type: string; isIndexed: boolean; isTask: boolean; isDone: boolean }[]
  /** Index entries without a record. */
  strayEntries: number
  messages: string[]
}

export function listBroken(
  log: HistoryLog,
  stored: Stored,
  arrived: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  return [
    ...log.unexpected.map((what) => `an answer that no fault explains: ${what}`),
    ...[...log.tasks.values()].flatMap((calls) =>
      when(!isLinearizable(taskModel, calls), 'claims of a task contradict each other'),
    ),
    ...when(!isLinearizable(leaseModel(leaseMs), log.lease), 'leases of a job contradict each other'),
    ...[...log.keys].flatMap(([key, calls]) =>
      when(!isLinearizable(keyModel, calls), `writes under ${key} contradict each other`),
    ),
    ...listBrokenMemories(log, stored),
    ...listHalfWritten(stored),
    ...listBrokenEvents(log, stored, arrived),
  ]
}

const when = (isBroken: boolean, what: string): string[] => (isBroken ? [what] : [])

function listBrokenMemories(log: HistoryLog, stored: Stored): string[] {
  const texts = new Map(log.searches.flatMap(({ op: { found } }) => [...found]))
  const acknowledged = log.writes.flatMap(({ op: { answer } }) => answer?.id ?? [])
  const ids = new Set([...acknowledged, ...texts.keys()])
  const storedIds = new Set(stored.memories.map(({ id }) => id))
  const written = new Map(log.writes.map(({ op }) => [op.text, op.answer]))
  return [
    ...[...ids].flatMap((id) => when(!storedIds.has(id), 'an acknowledged memory is gone')),
    ...[...ids].flatMap((id) =>
      when(
        !isLinearizable(memoryModel, callsAbout(log, id, texts.get(id))),
        'searches contradict the writes of a memory',
      ),
    ),
    ...[...texts.values()].flatMap((text) => when(!written.has(text), 'a search finds what nobody wrote')),
  ]
}

function listHalfWritten({ memories, strayEntries }: Stored): string[] {
  return [
    ...memories.flatMap(({ isIndexed }) => when(!isIndexed, 'a record without an index entry')),
    ...memories.flatMap(({ type, isTask }) => when((type === 'task') !== isTask, 'a task without its state')),
    ...when(strayEntries > 0, 'an index entry without a record'),
  ]
}

function listBrokenEvents(
  { sent }: HistoryLog,
  { memories, messages }: Stored,
  arrived: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const expected = new Set([
    ...messages.map((id) => eventKey('message.created', id)),
    ...memories.filter(({ isTask }) => !isTask).map(({ id }) => eventKey('memory.created', id)),
    ...memories.filter(({ isDone }) => isDone).map(({ id }) => eventKey('task.completed', id)),
  ])
  const known = new Set(messages)
  return [
    ...sent.flatMap((id) => when(!known.has(id), 'an acknowledged message is gone')),
    ...[...expected].flatMap((key) => when(!arrived.has(key), `an event never arrived: ${nameOf(key)}`)),
    ...[...arrived.keys()].flatMap((key) =>
      when(!expected.has(key), `an event of a write that was rolled back: ${nameOf(key)}`),
    ),
    ...[...arrived].flatMap(([key, ids]) => when(ids.size > 1, `an event under two ids: ${nameOf(key)}`)),
  ]
}

/** Without the id, which differs each time. */
const nameOf = (key: string) => key.split(' ')[0] ?? ''
