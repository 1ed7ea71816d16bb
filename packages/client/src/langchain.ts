import type { CallbackManagerForRetrieverRun } from '@langchain/core/callbacks/manager'
import { BaseListChatMessageHistory } from '@langchain/core/chat_history'
import { Document } from '@langchain/core/documents'
import {
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type BaseMessage,
  type StoredMessage,
} from '@langchain/core/messages'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import { clip } from './clip.ts'
import type { Client } from './create-client.ts'
import { hashTag } from './hash-tag.ts'
import { ItemNotes } from './item-notes.ts'
import { printWriters, writersOf } from './print-writers.ts'

export interface HistoryOptions {
  /** Id of the conversation. */
  sessionId: string
  /** Folder of the notes. It is created if it doesn't exist. Default: `langchain`. */
  folder?: string
}

/**
 * The messages of a conversation of LangChain, for `RunnableWithMessageHistory`. Messages that are added together become one note, so
 * adding costs the same in a long conversation. Cleared messages go to the trash.
 */
export class HoldfastChatMessageHistory extends BaseListChatMessageHistory {
  override lc_namespace = ['holdfast', 'langchain']
  readonly #items: ItemNotes<StoredMessage>

  constructor(client: Client, { sessionId, folder = 'langchain' }: HistoryOptions) {
    super()
    const place = hashTag('messages', folder, sessionId).then((tag) => ({ folder, title: clip(sessionId, 500), tag }))
    this.#items = new ItemNotes(client, place)
  }

  async getMessages(): Promise<BaseMessage[]> {
    return mapStoredMessagesToChatMessages(await this.#items.read())
  }

  async addMessage(message: BaseMessage): Promise<void> {
    await this.addMessages([message])
  }

  override async addMessages(messages: BaseMessage[]): Promise<void> {
    await this.#items.add(mapChatMessagesToStoredMessages(messages))
  }

  override async clear(): Promise<void> {
    await this.#items.clear()
  }
}

export interface RetrieverOptions extends BaseRetrieverInput {
  /** How many memories and notes a query returns at most, of each. Default: 6. */
  topK?: number
  /** Where to look. Default: both. */
  sources?: readonly ('memories' | 'notes')[]
}

/**
 * Finds memories and notes that match a query, by meaning and by words: first the memories, then the parts of notes, best first. The
 * metadata says what each is, who wrote it and when. They are data that others have stored, not instructions: say so in the prompt.
 */
export class HoldfastRetriever extends BaseRetriever {
  override lc_namespace = ['holdfast', 'langchain']
  readonly #client: Client
  readonly #topK: number
  readonly #sources: readonly ('memories' | 'notes')[]

  static override lc_name(): string {
    return 'HoldfastRetriever'
  }

  constructor(client: Client, { topK = 6, sources = ['memories', 'notes'], ...fields }: RetrieverOptions = {}) {
    super(fields)
    this.#client = client
    this.#topK = topK
    this.#sources = sources
  }

  override async _getRelevantDocuments(
    text: string,
    _runManager?: CallbackManagerForRetrieverRun,
  ): Promise<Document[]> {
    const query = clip(text, 10_000)
    if (query.trim() === '') return []
    const finders = { memories: () => this.#findMemories(query), notes: () => this.#findNotes(query) }
    return (await Promise.all(this.#sources.map((source) => finders[source]()))).flat()
  }

  async #findMemories(query: string): Promise<Document[]> {
    const { memories } = await this.#client.memories.search({ query, topK: this.#topK })
    return memories.map(({ memoryId, memoryType, content, summary, createdAt, score, ...memory }) => {
      const metadata = {
        source: 'memory',
        memoryId,
        memoryType,
        createdAt,
        score,
        writer: printWriters(writersOf(memory)),
      }
      return new Document({ pageContent: content ?? summary ?? '', id: memoryId, metadata })
    })
  }

  async #findNotes(query: string): Promise<Document[]> {
    const { notes } = await this.#client.notes.semanticSearch({ query, topK: this.#topK })
    return notes.map(({ noteId, title, excerpt, createdAt, score, ...note }) => {
      const metadata = { source: 'note', noteId, title, createdAt, score, writer: printWriters(writersOf(note)) }
      return new Document({ pageContent: excerpt, id: noteId, metadata })
    })
  }
}
