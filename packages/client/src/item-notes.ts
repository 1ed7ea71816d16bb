import type { Client } from './create-client.ts'
import type { Note } from './generated/operations.ts'
import { listNotes, readListed } from './list-notes.ts'
import { refuseProposal } from './refuse-proposal.ts'

/** Maximum length of a note. */
const maxChars = 500_000

/** Where the items of one conversation are. */
export interface ItemPlace {
  folder: string
  title: string
  tag: string
}

/**
 * The items of a conversation, as JSON. Items that are added together become one note, one item per line, so adding costs
 * the same in a long conversation. Removed items go to the trash.
 */
export class ItemNotes<Item extends object> {
  readonly #client: Client
  readonly #place: Promise<ItemPlace>

  constructor(client: Client, place: Promise<ItemPlace>) {
    this.#client = client
    this.#place = place
  }

  /** The newest, oldest first. */
  async read(limit = Infinity): Promise<Item[]> {
    const items: Item[] = []
    if (limit <= 0) return items
    for await (const note of this.#notes()) {
      items.unshift(...parseItems<Item>(note.content))
      if (items.length >= limit) return items.slice(-limit)
    }
    return items
  }

  /** Rejects with a RangeError, and adds nothing, if an item is longer than a note. */
  async add(items: readonly Item[]): Promise<void> {
    const { folder, title, tag } = await this.#place
    for (const lines of splitLines(items.map((item) => JSON.stringify(item))))
      await this.#client.notes.create({ title, content: printLines(lines), tags: [tag], folderPath: folder })
  }

  async pop(): Promise<Item | undefined> {
    for await (const { noteId, version, content } of this.#notes()) {
      const items = parseItems<Item>(content)
      const kept = items.slice(0, -1).map((item) => JSON.stringify(item))
      refuseProposal(
        await (kept.length === 0
          ? this.#client.notes.delete({ noteId })
          : this.#client.notes.update({ noteId, content: printLines(kept), expectedVersion: version })),
      )
      return items.at(-1)
    }
    return undefined
  }

  async clear(): Promise<void> {
    const { tag } = await this.#place
    for (const { noteId } of await listNotes(this.#client, { tags: [tag] }))
      refuseProposal(await this.#client.notes.delete({ noteId }))
  }

  /** Newest first. */
  async *#notes(): AsyncGenerator<Note, void, undefined> {
    const { tag } = await this.#place
    yield* readListed(this.#client, { tags: [tag] })
  }
}

// In a code block, because `[[…]]` elsewhere in a note is a link.
const [opening, closing] = ['```json', '```']
const printLines = (lines: readonly string[]) => [opening, ...lines, closing].join('\n')
const charsPerNote = maxChars - printLines(['']).length

const parseItems = <Item extends object>(content: string): Item[] =>
  content
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Item)

/** Groups the lines into notes. */
function splitLines(lines: readonly string[]): string[][] {
  const groups: string[][] = []
  let room = 0
  for (const { length } of lines)
    if (length > charsPerNote)
      throw new RangeError(`An item can have ${charsPerNote} characters as JSON, but one has ${length}`)
  for (const line of lines) {
    room -= line.length + 1
    if (room < 0) {
      groups.push([])
      room = charsPerNote - line.length
    }
    groups.at(-1)?.push(line)
  }
  return groups
}
