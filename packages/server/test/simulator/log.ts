// What the clients of a history saw: each call with its answer, by the object that it was about.

import type { Timed } from './linearizable.ts'
import type { KeyOp, LeaseOp, MemoryOp, TaskOp } from './models.ts'

/** A write of a memory. `text` is unlike that of any other write, but a repeated call has the same. */
interface MemoryWrite {
  text: string
  key: string | undefined
  answer: { id: string; wasCreated: boolean } | undefined
}

interface Search {
  /** The texts that were found, by the ids of their memories. */
  found: ReadonlyMap<string, string>
}

export interface HistoryLog {
  tasks: Map<string, Timed<TaskOp>[]>
  lease: Timed<LeaseOp>[]
  keys: Map<string, Timed<KeyOp>[]>
  writes: Timed<MemoryWrite>[]
  archives: Timed<{ id: string; isAnswered: boolean }>[]
  searches: Timed<Search>[]
  /** Messages whose sender got an answer. */
  sent: string[]
  /** Answers that no fault explains. */
  unexpected: string[]
}

export const emptyLog = (): HistoryLog => ({
  tasks: new Map(),
  lease: [],
  keys: new Map(),
  writes: [],
  archives: [],
  searches: [],
  sent: [],
  unexpected: [],
})

export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  list.push(value)
}

/** What all calls say about one memory. `text`: if a search has found it. */
export function callsAbout(log: HistoryLog, id: string, text: string | undefined): Timed<MemoryOp>[] {
  const keys = new Set(log.writes.flatMap(({ op: { answer, key } }) => (answer?.id === id ? [key] : [])))
  // Otherwise any write under its key that got no answer may have created it.
  const mayBeIts = (write: MemoryWrite) =>
    text === undefined ? write.key !== undefined && keys.has(write.key) : write.text === text
  return [
    ...log.writes.flatMap(({ op, from, until }): Timed<MemoryOp>[] => {
      const { answer } = op
      if (answer === undefined) return mayBeIts(op) ? [{ op: { kind: 'write' }, from, until: Infinity }] : []
      if (answer.id !== id) return []
      return [{ op: { kind: answer.wasCreated ? 'write' : 'repeat' }, from, until }]
    }),
    ...log.archives.flatMap(({ op, from, until }): Timed<MemoryOp>[] =>
      op.id === id ? [{ op: { kind: 'archive' }, from, until }] : [],
    ),
    ...log.searches.map(({ op: { found }, from, until }): Timed<MemoryOp> => {
      return { op: { kind: 'search', finds: found.has(id) }, from, until }
    }),
  ]
}
