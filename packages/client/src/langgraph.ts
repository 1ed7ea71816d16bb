import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import type { Client } from './create-client.ts'
import type { Note, NoteOutline } from './generated/operations.ts'
import { isFolderMissing, listNotes, readNotes } from './list-notes.ts'
import { tagOf } from './tag-of.ts'

export interface StoreOptions {
  /** Folder of its notes; missing ones are made. Default: `langgraph`. */
  folder?: string
}

const maxHits = 50

/**
 * LangGraph's long-term memory. An item is a note titled `namespace/…/key` whose text is the value as JSON, all of which is
 * searched: `index` is not heeded. A search with a query ranks by meaning, and looks at the 50 best notes under its prefix.
 * What is deleted lies in the trash.
 */
export class HoldfastStore extends BaseStore {
  readonly #client: Client
  readonly #folder: string

  constructor(client: Client, { folder = 'langgraph' }: StoreOptions = {}) {
    super()
    this.#client = client
    this.#folder = folder
  }

  /** One after the other, so that each sees what those before it wrote. */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = []
    for (const operation of operations) results.push(await this.#run(operation))
    return results as OperationResults<Op>
  }

  #run(operation: Operation): Promise<unknown> {
    if ('namespacePrefix' in operation) return this.#search(operation)
    if ('value' in operation) return this.#put(operation)
    if ('key' in operation) return this.#get(operation)
    return this.#listNamespaces(operation)
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    for await (const note of readNotes(this.#client, (await this.#find(namespace, key)).slice(0, 1)))
      return itemOf(note)
    return null
  }

  async #put({ namespace, key, value }: PutOperation): Promise<void> {
    const [newest, ...others] = await this.#find(namespace, key)
    if (value === null) {
      for (const { noteId } of newest === undefined ? [] : [newest, ...others])
        await this.#client.notes.delete({ noteId })
    } else if (newest === undefined) {
      const tags = [await this.#itemTag(namespace, key), ...(await this.#prefixTags(namespace))]
      const title = [...namespace, key].map(escapeSlashes).join('/')
      await this.#client.notes.create({ title, content: printValue(value), tags, folderPath: this.#folder })
    } else {
      await this.#client.notes.update({ noteId: newest.noteId, content: printValue(value) })
    }
  }

  async #search({
    namespacePrefix,
    query,
    filter = {},
    limit = 10,
    offset = 0,
  }: SearchOperation): Promise<SearchItem[]> {
    const tags = (await this.#prefixTags(namespacePrefix)).slice(-1)
    const within = { folderPath: this.#folder, ...(tags.length > 0 && { tags }) }
    const hits = query === undefined ? await listNotes(this.#client, within) : await this.#rank({ ...within, query })
    const scores = new Map(hits.map((hit) => [hit.noteId, 'similarity' in hit ? hit.similarity : undefined]))
    const found: SearchItem[] = []
    for await (const note of readNotes(this.#client, hits)) {
      const score = scores.get(note.noteId)
      const item = { ...itemOf(note), ...(typeof score === 'number' && { score }) }
      if (Object.entries(filter).every(([field, wanted]) => isAsWanted(item.value[field], wanted))) found.push(item)
      if (found.length >= offset + limit) break
    }
    return found.slice(offset, offset + limit)
  }

  async #rank(input: { query: string; folderPath: string; tags?: string[] }) {
    try {
      return (await this.#client.notes.semanticSearch({ ...input, topK: maxHits, threshold: 0 })).notes
    } catch (error) {
      if (isFolderMissing(error)) return []
      throw error
    }
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth = Infinity, limit, offset } = operation
    const found = new Map<string, string[]>()
    for (const { title } of await listNotes(this.#client, { folderPath: this.#folder })) {
      const namespace = title.split('/').slice(0, -1).map(decodeURIComponent)
      const shown = namespace.slice(0, maxDepth)
      if (matchConditions.every((condition) => matches(namespace, condition))) found.set(shown.join('\u0000'), shown)
    }
    const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, namespace]) => namespace)
    return sorted.slice(offset, offset + limit)
  }

  /** The newest first; two put at the same moment may both have made one. */
  async #find(namespace: string[], key: string): Promise<NoteOutline[]> {
    return listNotes(this.#client, { tags: [await this.#itemTag(namespace, key)] })
  }

  #itemTag = (namespace: string[], key: string) => tagOf('item', this.#folder, ...namespace, key)

  /** One for each namespace that holds the item, the innermost last. */
  #prefixTags = (namespace: string[]) =>
    Promise.all(namespace.map((_, depth) => tagOf('namespace', this.#folder, ...namespace.slice(0, depth + 1))))
}

const escapeSlashes = (name: string) => name.replaceAll(/[%/]/g, encodeURIComponent)

// In code, because `[[…]]` elsewhere in a note links to another one.
const printValue = (value: object) => `\`\`\`json\n${JSON.stringify(value, null, 1)}\n\`\`\``

function itemOf({ title, content, createdAt, updatedAt }: Note): Item {
  const names = title.split('/').map(decodeURIComponent)
  return {
    namespace: names.slice(0, -1),
    key: names.at(-1) ?? '',
    value: JSON.parse(content.slice(content.indexOf('\n'), content.lastIndexOf('\n'))) as Item['value'],
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  }
}

type Comparison = (value: unknown, wanted: unknown) => boolean

const isSame: Comparison = (value, wanted) => JSON.stringify(value) === JSON.stringify(wanted)

const comparisons: Readonly<Record<string, Comparison>> = {
  $eq: isSame,
  $ne: (value, wanted) => !isSame(value, wanted),
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.some((one) => isSame(value, one)),
  $nin: (value, wanted) => Array.isArray(wanted) && !wanted.some((one) => isSame(value, one)),
}

/** A value, or comparisons with values. */
function isAsWanted(value: unknown, wanted: unknown): boolean {
  const asked = typeof wanted === 'object' && wanted !== null ? Object.entries(wanted) : []
  if (asked.length === 0 || !asked.every(([name]) => name.startsWith('$'))) return isSame(value, wanted)
  return asked.every(([name, operand]) => {
    const compare = comparisons[name]
    if (compare === undefined) throw new TypeError(`There is no comparison ${name}`)
    return compare(value, operand)
  })
}

function matches(namespace: string[], { matchType, path }: MatchCondition): boolean {
  const names = matchType === 'prefix' ? namespace.slice(0, path.length) : namespace.slice(-path.length)
  return names.length === path.length && path.every((name, at) => name === '*' || name === names[at])
}
