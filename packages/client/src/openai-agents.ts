import type { AgentInputItem, Session } from '@openai/agents-core'
import type { Client } from './create-client.ts'
import type { Note } from './generated/operations.ts'
import { listNotes, readListed } from './list-notes.ts'
import { newUuid } from './new-uuid.ts'
import { hashTag } from './hash-tag.ts'
import { refuseProposal } from './refuse-proposal.ts'

export interface SessionOptions {
  /** Id of the conversation. Default: a new one. */
  sessionId?: string
  /** Folder of the notes. It is created if it doesn't exist. Default: `sessions`. */
  folder?: string
}

/** Maximum length of a note. */
const maxChars = 500_000

/**
 * A conversation of the OpenAI Agents SDK. Items that are added together become one note, one item per line, so adding costs
 * the same in a long conversation. Removed items go to the trash.
 */
export class HoldfastSession implements Session {
  readonly #client: Client
  readonly #id: string
  readonly #folder: string

  constructor(client: Client, { sessionId = newUuid(), folder = 'sessions' }: SessionOptions = {}) {
    this.#client = client
    this.#id = sessionId
    this.#folder = folder
  }

  async getSessionId(): Promise<string> {
    return this.#id
  }

  async getItems(limit = Infinity): Promise<AgentInputItem[]> {
    const items: AgentInputItem[] = []
    if (limit <= 0) return items
    for await (const note of this.#notes()) {
      items.unshift(...parseItems(note.content))
      if (items.length >= limit) return items.slice(-limit)
    }
    return items
  }

  /** Rejects with a RangeError, and adds nothing, if an item is longer than a note. */
  async addItems(items: AgentInputItem[]): Promise<void> {
    const tags = [await this.#tag()]
    for (const lines of splitLines(items.map((item) => JSON.stringify(item))))
      await this.#client.notes.create({ title: this.#id, content: printLines(lines), tags, folderPath: this.#folder })
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    for await (const { noteId, version, content } of this.#notes()) {
      const items = parseItems(content)
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

  async clearSession(): Promise<void> {
    for (const { noteId } of await listNotes(this.#client, { tags: [await this.#tag()] }))
      refuseProposal(await this.#client.notes.delete({ noteId }))
  }

  /** Newest first. */
  async *#notes(): AsyncGenerator<Note, void, undefined> {
    yield* readListed(this.#client, { tags: [await this.#tag()] })
  }

  #tag = () => hashTag('session', this.#folder, this.#id)
}

// In a code block, because `[[…]]` elsewhere in a note is a link.
const [opening, closing] = ['```json', '```']
const printLines = (lines: readonly string[]) => [opening, ...lines, closing].join('\n')
const charsPerNote = maxChars - printLines(['']).length

const parseItems = (content: string) =>
  content
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as AgentInputItem)

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
