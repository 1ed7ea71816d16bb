import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/**
 * A labelled set: what is stored, and questions with the ids of what answers them. A folder with `corpus.jsonl` and
 * `queries.jsonl`, either of them gzipped or not, one JSON object a line; README.md here says what a line may hold.
 */
export interface LabelledSet {
  name: string
  items: Item[]
  questions: Question[]
}

/** A note where it has a title, else a memory. */
export interface Item {
  id: string
  /** Who it belongs to: each group gets a vault of its own. */
  group: string
  text: string
  title?: string
  tags?: string[]
  /** A memory's type. */
  type?: string
  /** A memory's, 1 to 5. */
  importance?: number
  entities?: string[]
  timestamp?: string
  speaker?: string
  /** The conversation that it is a turn of. */
  parent?: string
}

export interface Question {
  id: string
  group: string
  query: string
  /** Ids of items, or of conversations where `areParents`. None: nothing in the vault answers it. */
  relevant: string[]
  areParents: boolean
  kind: string
  /** Memories and notes have searches of their own. */
  searches: 'memories' | 'notes'
  /** When it is asked; what was said later does not count. */
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

/** The lines of a file of JSON lines, or of the gzipped file of that name with `.gz`. */
export function readLines<T>(path: string): T[] {
  const text = existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`))
  return text
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
}
