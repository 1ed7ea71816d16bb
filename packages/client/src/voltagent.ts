import type {
  Conversation,
  ConversationQueryOptions,
  ConversationStepRecord,
  CreateConversationInput,
  GetConversationStepsOptions,
  GetMessagesOptions,
  WorkflowRunQuery,
  WorkflowStateEntry,
  WorkingMemoryScope,
} from '@voltagent/core'
import type { UIMessage } from 'ai'
import { clip } from './clip.ts'
import type { Client } from './create-client.ts'
import { hashTag } from './hash-tag.ts'
import { NoteRecords } from './note-records.ts'
import { WorkflowStates } from './voltagent-workflows.ts'

export interface StorageOptions {
  /** Folder of the notes. It is created if it doesn't exist. Default: `voltagent`. */
  folder?: string
}

interface WorkingMemoryPlace {
  conversationId?: string
  userId?: string
  scope: WorkingMemoryScope
}

type DatedMessage = UIMessage<{ createdAt: Date }>

/**
 * VoltAgent's storage, for `new Memory({ storage })`: conversations, messages, their steps, working memory, and the states of workflows.
 * Each is a note. Deleted ones go to the trash. It answers as VoltAgent's storage in memory does.
 */
export class HoldfastStorage {
  readonly #folder: string
  readonly #conversations: NoteRecords<Conversation>
  readonly #messages: NoteRecords<UIMessage>
  readonly #steps: NoteRecords<ConversationStepRecord>
  readonly #users: NoteRecords<{ workingMemory: string | null }>
  readonly #workflows: WorkflowStates
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: Client, { folder = 'voltagent' }: StorageOptions = {}) {
    this.#folder = folder
    this.#conversations = new NoteRecords(client, folder)
    this.#messages = new NoteRecords(client, folder)
    this.#steps = new NoteRecords(client, folder)
    this.#users = new NoteRecords(client, folder)
    this.#workflows = new WorkflowStates(client, folder)
  }

  async addMessage(message: UIMessage, userId: string, conversationId: string): Promise<void> {
    await this.addMessages([message], userId, conversationId)
  }

  /** One after the other: the order of the notes is the order of the conversation. */
  async addMessages(messages: UIMessage[], userId: string, conversationId: string): Promise<void> {
    await this.#inTurn(async () => {
      for (const message of messages) await this.#addMessage(message, userId, conversationId)
    })
  }

  async #addMessage(message: UIMessage, userId: string, conversationId: string): Promise<void> {
    const above = await this.#above('messages', userId, conversationId)
    const tag = await this.#tag('message', userId, conversationId, message.id)
    await this.#messages.keep({ tag, title: clip(`${message.role} in ${conversationId}`, 200), above }, message)
  }

  /** VoltAgent doesn't wait for what it writes, so writes happen in the order of the calls, and reads wait for them. */
  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(run)
    this.#last = result.catch(() => {})
    return result
  }

  /** The newest that match, oldest first. */
  async getMessages(userId: string, conversationId: string, options: GetMessagesOptions = {}): Promise<DatedMessage[]> {
    await this.#last
    const { limit = 0, before, after, roles = [] } = options
    const found: DatedMessage[] = []
    for await (const { record, createdAt } of this.#messages.list(
      await this.#tag('messages', userId, conversationId),
    )) {
      if (after !== undefined && createdAt <= after) break
      const isWanted = roles.length === 0 || roles.includes(record.role)
      if (!isWanted || (before !== undefined && createdAt >= before)) continue
      found.push({ ...record, metadata: { ...(record.metadata as object | undefined), createdAt } })
      if (limit > 0 && found.length >= limit) break
    }
    return found.toReversed()
  }

  async deleteMessages(messageIds: string[], userId: string, conversationId: string): Promise<void> {
    for (const id of messageIds) await this.#messages.remove(await this.#tag('message', userId, conversationId, id))
  }

  async clearMessages(userId: string, conversationId?: string): Promise<void> {
    const names = conversationId === undefined ? [userId] : [userId, conversationId]
    await this.#messages.remove(await this.#tag('messages', ...names))
    await this.#steps.remove(await this.#tag('steps', ...names))
  }

  async saveConversationSteps(steps: ConversationStepRecord[]): Promise<void> {
    for (const step of steps) {
      const { userId, conversationId, id } = step
      const above = await this.#above('steps', userId, conversationId)
      const tag = await this.#tag('step', userId, conversationId, id)
      await this.#steps.keep({ tag, title: clip(`step in ${conversationId}`, 200), above }, step)
    }
  }

  async getConversationSteps(
    userId: string,
    conversationId: string,
    { limit = 0, operationId }: GetConversationStepsOptions = {},
  ): Promise<ConversationStepRecord[]> {
    const found: ConversationStepRecord[] = []
    for await (const { record } of this.#steps.list(await this.#tag('steps', userId, conversationId)))
      if (operationId === undefined || record.operationId === operationId) found.push(record)
    const steps = found.toReversed().toSorted((a, b) => a.stepIndex - b.stepIndex)
    return limit > 0 ? steps.slice(-limit) : steps
  }

  async createConversation(input: CreateConversationInput): Promise<Conversation> {
    if ((await this.getConversation(input.id)) !== null)
      throw coded('CONVERSATION_ALREADY_EXISTS', `Conversation already exists: ${input.id}`)
    const now = new Date().toISOString()
    return this.#keepConversation({ ...input, createdAt: now, updatedAt: now })
  }

  async getConversation(id: string): Promise<Conversation | null> {
    return (await this.#conversations.read(await this.#tag('conversation', id)))?.record ?? null
  }

  async getConversations(resourceId: string): Promise<Conversation[]> {
    return this.#listConversations({ resourceId })
  }

  async getConversationsByUserId(
    userId: string,
    options?: Omit<ConversationQueryOptions, 'userId'>,
  ): Promise<Conversation[]> {
    return this.queryConversations({ ...options, userId })
  }

  async queryConversations(options: ConversationQueryOptions): Promise<Conversation[]> {
    const { limit = 50, offset = 0, orderBy = 'created_at' } = options
    const direction = options.orderDirection ?? (options.orderBy === undefined ? 'DESC' : 'ASC')
    const field = ({ created_at: 'createdAt', updated_at: 'updatedAt', title: 'title' } as const)[orderBy]
    const sign = direction === 'DESC' ? -1 : 1
    const found = await this.#listConversations(options)
    return found.toSorted((a, b) => sign * a[field].localeCompare(b[field])).slice(offset, offset + limit)
  }

  async countConversations(options: ConversationQueryOptions): Promise<number> {
    return (await this.#listConversations(options)).length
  }

  async updateConversation(
    id: string,
    updates: Partial<Omit<Conversation, 'id' | 'createdAt' | 'updatedAt'>>,
  ): Promise<Conversation> {
    const conversation = await this.#findConversation(id)
    return this.#keepConversation({ ...conversation, ...updates, updatedAt: new Date().toISOString() })
  }

  async deleteConversation(id: string): Promise<void> {
    await this.#findConversation(id)
    await this.#conversations.remove(await this.#tag('conversation', id))
    await this.#messages.remove(await this.#tag('all-messages', id))
    await this.#steps.remove(await this.#tag('all-steps', id))
  }

  async getWorkingMemory({ conversationId, userId, scope }: WorkingMemoryPlace): Promise<string | null> {
    if (scope === 'user' && userId !== undefined)
      return (await this.#users.read(await this.#tag('user', userId)))?.record.workingMemory ?? null
    const conversation = conversationId === undefined ? null : await this.getConversation(conversationId)
    const kept = conversation?.metadata['workingMemory']
    return typeof kept === 'string' ? kept : null
  }

  async setWorkingMemory({ content, ...place }: WorkingMemoryPlace & { content: string }): Promise<void> {
    await this.#setWorkingMemory(place, content)
  }

  async deleteWorkingMemory(place: WorkingMemoryPlace): Promise<void> {
    await this.#setWorkingMemory(place, null)
  }

  /** A conversation that doesn't exist has none. */
  async #setWorkingMemory(
    { conversationId, userId, scope }: WorkingMemoryPlace,
    content: string | null,
  ): Promise<void> {
    if (scope === 'user') {
      if (userId === undefined) return
      const tag = await this.#tag('user', userId)
      await this.#users.keep(
        { tag, title: clip(`working memory of ${userId}`, 200), above: [] },
        { workingMemory: content },
      )
      return
    }
    const conversation = conversationId === undefined ? null : await this.getConversation(conversationId)
    if (conversation === null) return
    const { workingMemory: _, ...others } = conversation.metadata
    const metadata = content === null ? others : { ...others, workingMemory: content }
    await this.#keepConversation({ ...conversation, metadata, updatedAt: new Date().toISOString() })
  }

  getWorkflowState = (executionId: string): Promise<WorkflowStateEntry | null> => this.#workflows.read(executionId)

  queryWorkflowRuns = (query: WorkflowRunQuery): Promise<WorkflowStateEntry[]> => this.#workflows.query(query)

  setWorkflowState = (executionId: string, state: WorkflowStateEntry): Promise<void> =>
    this.#workflows.keep(executionId, state)

  updateWorkflowState = (executionId: string, updates: Partial<WorkflowStateEntry>): Promise<void> =>
    this.#workflows.update(executionId, updates)

  getSuspendedWorkflowStates = (workflowId: string): Promise<WorkflowStateEntry[]> =>
    this.#workflows.query({ workflowId, status: 'suspended' })

  async #keepConversation(conversation: Conversation): Promise<Conversation> {
    const { id, userId, resourceId, title } = conversation
    const above = await Promise.all([
      this.#tag('conversations'),
      this.#tag('conversations-by-user', userId),
      this.#tag('conversations-by-resource', resourceId),
    ])
    const place = { tag: await this.#tag('conversation', id), title: clip(title === '' ? id : title, 200), above }
    await this.#conversations.keep(place, conversation)
    return conversation
  }

  /** The oldest first. */
  async #listConversations({ userId, resourceId }: ConversationQueryOptions): Promise<Conversation[]> {
    const tag =
      userId !== undefined
        ? this.#tag('conversations-by-user', userId)
        : resourceId !== undefined
          ? this.#tag('conversations-by-resource', resourceId)
          : this.#tag('conversations')
    const found: Conversation[] = []
    for await (const { record } of this.#conversations.list(await tag))
      if (userId === undefined || (resourceId ?? record.resourceId) === record.resourceId) found.push(record)
    return found.toReversed()
  }

  async #findConversation(id: string): Promise<Conversation> {
    const conversation = await this.getConversation(id)
    if (conversation === null) throw coded('CONVERSATION_NOT_FOUND', `Conversation not found: ${id}`)
    return conversation
  }

  #tag = (kind: string, ...names: string[]) => hashTag(`voltagent-${kind}`, this.#folder, ...names)

  /** The lists that messages or steps are in: of the user, of the user's conversation, and of the conversation. */
  #above = (kind: 'messages' | 'steps', userId: string, conversationId: string) =>
    Promise.all([
      this.#tag(kind, userId),
      this.#tag(kind, userId, conversationId),
      this.#tag(`all-${kind}`, conversationId),
    ])
}

/** VoltAgent recognizes its errors by their codes, so that they may come from another package. */
const coded = (code: string, message: string) => Object.assign(new Error(message), { code })
