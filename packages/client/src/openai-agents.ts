import type { AgentInputItem, Session } from '@openai/agents-core'
import type { Client } from './create-client.ts'
import { hashTag } from './hash-tag.ts'
import { ItemNotes } from './item-notes.ts'
import { newUuid } from './new-uuid.ts'

export interface SessionOptions {
  /** Id of the conversation. Default: a new one. */
  sessionId?: string
  /** Folder of the notes. It is created if it doesn't exist. Default: `sessions`. */
  folder?: string
}

/**
 * A conversation of the OpenAI Agents SDK. Items that are added together become one note, one item per line, so adding costs
 * the same in a long conversation. Removed items go to the trash.
 */
export class HoldfastSession implements Session {
  readonly #id: string
  readonly #items: ItemNotes<AgentInputItem>

  constructor(client: Client, { sessionId = newUuid(), folder = 'sessions' }: SessionOptions = {}) {
    this.#id = sessionId
    const place = hashTag('session', folder, sessionId).then((tag) => ({ folder, title: sessionId, tag }))
    this.#items = new ItemNotes(client, place)
  }

  async getSessionId(): Promise<string> {
    return this.#id
  }

  async getItems(limit?: number): Promise<AgentInputItem[]> {
    return this.#items.read(limit)
  }

  /** Rejects with a RangeError, and adds nothing, if an item is longer than a note. */
  async addItems(items: AgentInputItem[]): Promise<void> {
    await this.#items.add(items)
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    return this.#items.pop()
  }

  async clearSession(): Promise<void> {
    await this.#items.clear()
  }
}
