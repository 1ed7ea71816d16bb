import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/**
 * A labeled set: items to store, and questions with the ids of their answers. A folder with `corpus.jsonl` and `queries.jsonl`, gzipped
 * or not, with one JSON object per line. The README here describes the lines.
 */
export interface LabelledSet {
  name: string
  items: Item[]
  questions: Question[]
}

/** A note if it has a title, else a memory. */
export interface Item {
  id: string
  /** The group that it belongs to: each group gets its own vault. */
  group: string
  text: string
  title?: string
  tags?: string[]
  /** The type of a memory. */
  type?: string
  /** The importance of a memory, 1 to 5. */
  importance?: number
  entities?: string[]
  timestamp?: string
  speaker?: string
  /** The conversation that contains this turn. */
  parent?: string
}

export interface Question {
  id: string
  group: string
  query: string
  /** Ids of items, or of conversations if `areParents`. Empty: nothing in the vault answers it. */
  relevant: string[]
  areParents: boolean
  kind: string
  /** Memories and notes have separate searches. */
  searches: 'memories' | 'notes'
  /** When it is asked. Later items don't count. */
  now: string | undefined
}

interface QuestionLine {
  id: string
  group: string
  query: string
  relevant: string[]
  relevant_is?: 'parent'
  kind?: string
  /** What other sets call the kind. */
  category?: string
  in?: 'memories' | 'notes'
  now?: string
}

export function readSet(folder: string): LabelledSet {
  const items = readLines<Item>(join(folder, 'corpus.jsonl'))
  const withMemories = new Set(items.filter(({ title }) => title === undefined).map(({ group }) => group))
  const questions = readLines<QuestionLine>(join(folder, 'queries.jsonl')).map((line) => ({
    id: line.id,
    group: line.group,
    query: line.query,
    relevant: line.relevant,
    areParents: line.relevant_is === 'parent',
    kind: line.kind ?? line.category ?? 'all',
    searches: line.in ?? (withMemories.has(line.group) ? ('memories' as const) : ('notes' as const)),
    now: line.now,
  }))
  return { name: basename(folder), items, questions }
}

/** The lines of a JSON Lines file, or of the gzipped file with that name plus `.gz`. */
export function readLines<T>(path: string): T[] {
  const text = existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`))
  return text
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
}
