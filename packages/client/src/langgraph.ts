import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import { clip } from './clip.ts'
import type { Client } from './create-client.ts'
import type { Note, NoteOutline } from './generated/operations.ts'
import { hashTag } from './hash-tag.ts'
import { matchesFilter, matchesNamespace } from './langgraph-filter.ts'
import { createFirst, listNotes, listOldest, readNotes } from './list-notes.ts'
import { mapSome } from './map-some.ts'
import { refuseProposal } from './refuse-proposal.ts'

export { HoldfastSaver, type SaverOptions } from './langgraph-saver.ts'

export interface StoreOptions {
  /** Folder of the notes. It is created if it doesn't exist. Default: `langgraph`. */
  folder?: string
}

const maxHits = 50
const maxTitleLength = 500
const maxQueryLength = 10_000

/** On notes of items that were put with `index: false`. */
const unindexedTag = 'langgraph-unindexed'

/**
 * LangGraph's long-term memory. An item is a note with the title `namespace/…/key` (at most 500 characters) and the value as
 * JSON. Deleted items go to the trash. Other notes in the folder are ignored, and so are notes that people have changed so that they
 * are no longer valid items.
 *
 * A search with a query returns all items that match, as LangGraph's in-memory store does: first those whose values are nearest in
 * meaning, at most 50, with a score; then the others in the order of their creation, without a score. A search without a query
 * returns items in the order of their creation, also across namespaces.
 *
 * `index: false` keeps an item from being ranked by meaning. A list of fields is ignored: Holdfast indexes the whole value.
 * Other searches of the vault find all items. Items don't expire.
 */
export class HoldfastStore extends BaseStore {
  readonly #client: Client
  readonly #folder: string

  constructor(client: Client, { folder = 'langgraph' }: StoreOptions = {}) {
    super()
    this.#client = client
    this.#folder = folder
  }

  /**
   * Runs the operations several at a time. As in the in-memory store, reads see what was there before the batch, and of several puts
   * of an item the last one counts. Which of the batch's new items is listed first isn't known.
   */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const puts = operations.filter(isPut)
    const lastPuts = new Map(puts.map((put) => [JSON.stringify([put.namespace, put.key]), put]))
    const results = await mapSome(operations, async (one) => (isPut(one) ? undefined : this.#read(one)))
    await mapSome([...lastPuts.values()], (put) => this.#put(put))
    return results as OperationResults<Op>
  }

  #read(operation: GetOperation | SearchOperation | ListNamespacesOperation): Promise<unknown> {
    if ('namespacePrefix' in operation) return this.#search(operation)
    if ('key' in operation) return this.#get(operation)
    return this.#listNamespaces(operation)
  }

  /** Two puts at the same time may both have created a note: the newest counts. */
  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const found = await listNotes(this.#client, { tags: [await this.#itemTag(namespace, key)] })
    const [note] = await readNotes(this.#client, found.slice(0, 1))
    return (note && parseItem(note, [...namespace, key])) ?? null
  }

  async #put({ namespace, key, value, index }: PutOperation): Promise<void> {
    const tag = await this.#itemTag(namespace, key)
    if (value === null) {
      const found = await listNotes(this.#client, { tags: [tag] })
      await mapSome(found, async ({ noteId }) => refuseProposal(await this.#client.notes.delete({ noteId })))
      return
    }
    const title = printTitle([...namespace, key])
    const content = printValue(value)
    const marks = index === false ? [unindexedTag] : []
    const tags = [...(await this.#prefixTags(namespace)), ...marks]
    const note = { title, content, tags, folderPath: this.#folder }
    const { created, noteId, live } = await createFirst(this.#client, tag, note, { reusesLive: true })
    if (created) return
    // Keeps the tags that people have added.
    const changed = live && { tags: [...live.tags.filter((one) => one !== unindexedTag), ...marks] }
    // Restores the note if someone has deleted it since, because this put is later.
    refuseProposal(await this.#client.notes.update({ noteId, content, trashed: false, ...changed }))
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, query = '', filter = {}, limit = 10, offset = 0 } = operation
    const wanted = offset + limit
    const found: SearchItem[] = []
    if (wanted <= 0) return found
    const tags = (await this.#prefixTags(namespacePrefix)).slice(-1)
    // Without a filter, read only as many as requested.
    const pageSize = Object.keys(filter).length > 0 ? maxHits : Math.min(maxHits, wanted)
    const scores = query === '' ? new Map<string, number | null>() : await this.#rank(tags, query)
    for await (const page of this.#pages(tags, [...scores.keys()], pageSize))
      for (const note of await readNotes(this.#client, page)) {
        const item = await this.#toItem(note)
        if (item === undefined || !matchesFilter(item.value, filter)) continue
        const score = scores.get(note.noteId)
        found.push({ ...item, ...(typeof score === 'number' && { score }) })
        if (found.length === wanted) return found.slice(offset)
      }
    return found.slice(offset)
  }

  /** Returns the scores of the nearest notes, best first; null if they were found by words. */
  async #rank(tags: string[], query: string): Promise<Map<string, number | null>> {
    const question = { tags, query: clip(query, maxQueryLength), topK: maxHits, threshold: 0 }
    const { notes } = await this.#client.notes.semanticSearch(question)
    const ranked = notes.filter((note) => !note.tags.includes(unindexedTag))
    return new Map(ranked.map(({ noteId, similarity }) => [noteId, similarity]))
  }

  /** The ranked notes, and then the other items, as pages of ids. */
  async *#pages(tags: string[], rankedIds: string[], size: number): AsyncGenerator<{ noteId: string }[]> {
    const ranked = rankedIds.map((noteId) => ({ noteId }))
    for (let from = 0; from < ranked.length; from += size) yield ranked.slice(from, from + size)
    const isRanked = new Set(rankedIds)
    for await (const outlines of listOldest(this.#client, { tags })) {
      const others = outlines.filter(({ noteId }) => !isRanked.has(noteId))
      for (let from = 0; from < others.length; from += size) yield others.slice(from, from + size)
    }
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth = Infinity, limit, offset } = operation
    const found = new Map<string, string[]>()
    for (const outline of await listNotes(this.#client, { tags: await this.#prefixTags([]) })) {
      const namespace = (await this.#parseNames(outline))?.slice(0, -1)
      if (namespace === undefined) continue
      const shown = namespace.slice(0, maxDepth)
      if (matchConditions.every((condition) => matchesNamespace(namespace, condition)))
        found.set(JSON.stringify(shown), shown)
    }
    const sorted = [...found.values()].toSorted((a, b) => a.join(':').localeCompare(b.join(':')))
    return sorted.slice(offset, offset + limit)
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

const isPut = (operation: Operation): operation is PutOperation => 'value' in operation

function printTitle(names: readonly string[]): string {
  const title = names.map(escapeSlashes).join('/')
  if (title.length > maxTitleLength)
    throw new RangeError(`namespace and key can have ${maxTitleLength} characters together, but have ${title.length}`)
  return title
}

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
