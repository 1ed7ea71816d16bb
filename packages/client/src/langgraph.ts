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
import type { Note, NoteOutline, SemanticSearchInput } from './generated/operations.ts'
import { createFirst, listNotes, readListed, readNotes } from './list-notes.ts'
import { hashTag } from './hash-tag.ts'
import { refuseProposal } from './refuse-proposal.ts'

export interface StoreOptions {
  /** Folder of the notes. It is created if it doesn't exist. Default: `langgraph`. */
  folder?: string
}

const maxHits = 50
const maxTitleLength = 500

/**
 * LangGraph's long-term memory. An item is a note with the title `namespace/…/key` (at most 500 characters) and the value as
 * JSON. Search covers the whole value; `index` is ignored. A search with a query ranks by meaning and considers the 50 best
 * notes under its prefix. It ignores other notes in its folder, and notes that people have changed so that they are no longer
 * valid items. Deleted items go to the trash.
 */
export class HoldfastStore extends BaseStore {
  readonly #client: Client
  readonly #folder: string

  constructor(client: Client, { folder = 'langgraph' }: StoreOptions = {}) {
    super()
    this.#client = client
    this.#folder = folder
  }

  /** Runs the operations one after the other, so each sees the writes before it. */
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
    const [note] = await readNotes(this.#client, (await this.#find(namespace, key)).slice(0, 1))
    return (note && parseItem(note, [...namespace, key])) ?? null
  }

  async #put({ namespace, key, value }: PutOperation): Promise<void> {
    const found = await this.#find(namespace, key)
    if (value === null) {
      for (const { noteId } of found) refuseProposal(await this.#client.notes.delete({ noteId }))
      return
    }
    const content = printValue(value)
    const noteId = found[0]?.noteId ?? (await this.#create(namespace, key, content))
    // Restores the note if someone has deleted it since, because this put is later.
    if (noteId !== undefined) refuseProposal(await this.#client.notes.update({ noteId, content, trashed: false }))
  }

  /** Creates the item and returns undefined, or returns the id of the note that someone else created at the same time. */
  async #create(namespace: string[], key: string, content: string): Promise<string | undefined> {
    const title = [...namespace, key].map(escapeSlashes).join('/')
    if (title.length > maxTitleLength)
      throw new RangeError(`namespace and key can have ${maxTitleLength} characters together, but have ${title.length}`)
    const tags = await this.#prefixTags(namespace)
    const note = { title, content, tags, folderPath: this.#folder }
    const tag = await this.#itemTag(namespace, key)
    const { created, noteId } = await createFirst(this.#client, tag, note, { reusesLive: true })
    return created ? undefined : noteId
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, query, filter = {}, limit = 10, offset = 0 } = operation
    const tags = (await this.#prefixTags(namespacePrefix)).slice(-1)
    // Without a filter, read only as many as requested.
    const pageSize = Object.keys(filter).length > 0 ? maxHits : Math.min(maxHits, Math.max(1, offset + limit))
    const notes: AsyncIterable<Ranked> =
      query === undefined
        ? readListed(this.#client, { tags, limit: pageSize })
        : this.#rank({ tags, query, topK: maxHits, threshold: 0 }, pageSize)
    const found: SearchItem[] = []
    for await (const note of notes) {
      const item = await this.#toItem(note)
      if (item === undefined) continue
      const isWanted = Object.entries(filter).every(([field, wanted]) => matchesFilter(item.value[field], wanted))
      if (isWanted) found.push({ ...item, ...(typeof note.similarity === 'number' && { score: note.similarity }) })
      if (found.length >= offset + limit) break
    }
    return found.slice(offset, offset + limit)
  }

  /** Best first. */
  async *#rank(input: SemanticSearchInput, pageSize: number): AsyncGenerator<Ranked, void, undefined> {
    const { notes: hits } = await this.#client.notes.semanticSearch(input)
    const similarities = new Map(hits.map(({ noteId, similarity }) => [noteId, similarity]))
    for (let from = 0; from < hits.length; from += pageSize)
      for (const note of await readNotes(this.#client, hits.slice(from, from + pageSize)))
        yield { ...note, similarity: similarities.get(note.noteId) }
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth = Infinity, limit, offset } = operation
    const found = new Map<string, string[]>()
    for (const outline of await listNotes(this.#client, { tags: await this.#prefixTags([]) })) {
      const namespace = (await this.#parseNames(outline))?.slice(0, -1)
      if (namespace === undefined) continue
      const shown = namespace.slice(0, maxDepth)
      if (matchConditions.every((condition) => matchesNamespace(namespace, condition)))
        found.set(shown.join('\u0000'), shown)
    }
    const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, namespace]) => namespace)
    return sorted.slice(offset, offset + limit)
  }

  /** Newest first. Two puts at the same time may both have created a note. */
  async #find(namespace: string[], key: string): Promise<NoteOutline[]> {
    return listNotes(this.#client, { tags: [await this.#itemTag(namespace, key)] })
  }

  #itemTag = (namespace: string[], key: string) => hashTag('item', this.#folder, ...namespace, key)

  /** Returns one tag for the store and one for each enclosing namespace, innermost last. */
  #prefixTags = (namespace: string[]) =>
    Promise.all(
      Array.from({ length: namespace.length + 1 }, (_, depth) =>
        hashTag('namespace', this.#folder, ...namespace.slice(0, depth)),
      ),
    )

  async #toItem(note: Note): Promise<Item | undefined> {
    const names = await this.#parseNames(note)
    return names && parseItem(note, names)
  }

  /** Parses namespace and key from the title. Undefined if someone has renamed the note. */
  async #parseNames({ title, tags }: NoteOutline | Note): Promise<string[] | undefined> {
    const names = unescapeSlashes(title)
    if (names === undefined) return undefined
    return tags.includes(await this.#itemTag(names.slice(0, -1), names.at(-1) ?? '')) ? names : undefined
  }
}

type Ranked = Note & { similarity?: number | null | undefined }

const escapeSlashes = (name: string) => name.replaceAll(/[%/]/g, encodeURIComponent)

function unescapeSlashes(title: string): string[] | undefined {
  try {
    return title.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

// In a code block, because `[[…]]` elsewhere in a note is a link.
const printValue = (value: object) => `\`\`\`json\n${JSON.stringify(value, null, 1)}\n\`\`\``

/** Undefined if someone has changed the note so that it is no longer valid JSON. */
function parseItem({ content, createdAt, updatedAt }: Note, names: readonly string[]): Item | undefined {
  const value = parseValue(content.slice(content.indexOf('\n'), content.lastIndexOf('\n')))
  if (value === undefined) return undefined
  return {
    namespace: names.slice(0, -1),
    key: names.at(-1) ?? '',
    value,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  }
}

function parseValue(json: string): Item['value'] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Item['value']) : undefined
  } catch {
    return undefined
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

/** Compares with a value, or with an object of comparisons. */
function matchesFilter(value: unknown, wanted: unknown): boolean {
  const operations = typeof wanted === 'object' && wanted !== null ? Object.entries(wanted) : []
  if (operations.length === 0 || !operations.every(([name]) => name.startsWith('$'))) return isSame(value, wanted)
  return operations.every(([name, operand]) => {
    const compare = comparisons[name]
    if (compare === undefined) throw new TypeError(`Unknown comparison ${name}`)
    return compare(value, operand)
  })
}

function matchesNamespace(namespace: string[], { matchType, path }: MatchCondition): boolean {
  const names = matchType === 'prefix' ? namespace.slice(0, path.length) : namespace.slice(-path.length)
  return names.length === path.length && path.every((name, at) => name === '*' || name === names[at])
}
