import type { MastraDBMessage, StorageThreadType } from '@mastra/core/memory'
import {
  calculatePagination,
  MemoryStorage,
  normalizePerPage,
  type StorageListMessagesByResourceIdInput,
  type StorageListMessagesInput,
  type StorageListMessagesOutput,
  type StorageListThreadsInput,
  type StorageListThreadsOutput,
  type StorageResourceType,
} from '@mastra/core/storage'
import { clip } from './clip.ts'
import type { Client } from './create-client.ts'
import { hashTag } from './hash-tag.ts'
import { NoteRecords } from './note-records.ts'

type MessageUpdate = Partial<Omit<MastraDBMessage, 'createdAt' | 'content'>> & {
  id: string
  content?: Partial<MastraDBMessage['content']>
}

/**
 * The domain `memory` of Mastra's storage. It reads all messages of a thread to return a page of them. Observational memory isn't
 * supported.
 */
export class HoldfastMemoryStorage extends MemoryStorage {
  override readonly supportsPartialThreadUpdate = true
  readonly #folder: string
  readonly #threads: NoteRecords<StorageThreadType>
  readonly #messages: NoteRecords<MastraDBMessage>
  readonly #resources: NoteRecords<StorageResourceType>

  constructor(client: Client, { folder = 'mastra' }: { folder?: string } = {}) {
    super()
    this.#folder = folder
    this.#threads = new NoteRecords(client, folder)
    this.#messages = new NoteRecords(client, folder)
    this.#resources = new NoteRecords(client, folder)
  }

  /** Moves everything that this folder has of Mastra to the trash. */
  async dangerouslyClearAll(): Promise<void> {
    for (const kind of ['threads', 'messages', 'resources']) await this.#threads.remove(await this.#tag(kind))
  }

  async getThreadById({ threadId, resourceId }: { threadId: string; resourceId?: string }) {
    const found = await this.#threads.read(await this.#tag('thread', threadId))
    if (found === undefined || (resourceId ?? found.record.resourceId) !== found.record.resourceId) return null
    return reviveDates(found.record)
  }

  async saveThread({ thread }: { thread: StorageThreadType }): Promise<StorageThreadType> {
    const { id, title = '', resourceId } = thread
    const above = await Promise.all([this.#tag('threads'), this.#tag('threads-of', resourceId)])
    const place = { tag: await this.#tag('thread', id), title: clip(title === '' ? id : title, 200), above }
    await this.#threads.keep(place, thread)
    return thread
  }

  async updateThread({ id, title, metadata }: { id: string; title?: string; metadata?: Record<string, unknown> }) {
    const thread = await this.getThreadById({ threadId: id })
    if (thread === null) throw new Error(`Thread with id ${id} not found`)
    const changed = title === undefined ? thread : { ...thread, title }
    return this.saveThread({
      thread: { ...changed, metadata: { ...thread.metadata, ...metadata }, updatedAt: new Date() },
    })
  }

  async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    await this.#messages.remove(await this.#tag('messages-in', threadId))
    await this.#threads.remove(await this.#tag('thread', threadId))
  }

  async listThreads(input: StorageListThreadsInput): Promise<StorageListThreadsOutput> {
    const { page = 0, perPage, orderBy, filter = {} } = input
    this.validatePaginationInput(page, perPage ?? 100)
    this.validateMetadataKeys(filter.metadata)
    const { resourceId, metadata = {} } = filter
    const tag = resourceId === undefined ? this.#tag('threads') : this.#tag('threads-of', resourceId)
    const found: StorageThreadType[] = []
    for await (const { record } of this.#threads.list(await tag))
      if (hasAll(record.metadata, metadata)) found.push(reviveDates(record))
    const { field, direction } = this.parseOrderBy(orderBy)
    const sorted = sortByDate(found, (thread) => thread[field], direction)
    const { items, ...shown } = cutPage(sorted, page, perPage, 100)
    return { threads: items, ...shown }
  }

  async listMessages(input: StorageListMessagesInput): Promise<StorageListMessagesOutput> {
    const threadIds = [input.threadId].flat()
    if (threadIds.length === 0 || threadIds.some((id) => id.trim() === ''))
      throw new Error('threadId must be a non-empty string or array of non-empty strings')
    const found: MastraDBMessage[] = []
    for (const id of threadIds) found.push(...(await this.#listTagged(await this.#tag('messages-in', id))))
    const { resourceId } = input
    return this.#pageOf(resourceId === undefined ? found : found.filter((one) => one.resourceId === resourceId), input)
  }

  async listMessagesByResourceId(input: StorageListMessagesByResourceIdInput): Promise<StorageListMessagesOutput> {
    return this.#pageOf(await this.#listTagged(await this.#tag('messages-of', input.resourceId)), input)
  }

  async listMessagesById({ messageIds }: { messageIds: string[] }): Promise<{ messages: MastraDBMessage[] }> {
    const found = await Promise.all(messageIds.map((id) => this.#readMessage(id)))
    return { messages: found.filter((one) => one !== undefined) }
  }

  async saveMessages({ messages }: { messages: MastraDBMessage[] }): Promise<{ messages: MastraDBMessage[] }> {
    for (const message of messages) await this.#keepMessage(message)
    await this.#touch(messages)
    return { messages }
  }

  async updateMessages({ messages }: { messages: MessageUpdate[] }): Promise<MastraDBMessage[]> {
    const updated: MastraDBMessage[] = []
    for (const { content, ...update } of messages) {
      const message = await this.#readMessage(update.id)
      if (message === undefined) continue
      const metadata = { ...message.content.metadata, ...content?.metadata }
      const merged = { ...message.content, ...content, ...(Object.keys(metadata).length > 0 && { metadata }) }
      const changed = { ...message, ...update, content: merged }
      await this.#keepMessage(changed)
      updated.push(changed)
      await this.#touch([message, changed])
    }
    return updated
  }

  async deleteMessages(messageIds: string[]): Promise<void> {
    const { messages } = await this.listMessagesById({ messageIds })
    for (const { id } of messages) await this.#messages.remove(await this.#tag('message', id))
    await this.#touch(messages)
  }

  async getResourceById({ resourceId }: { resourceId: string }): Promise<StorageResourceType | null> {
    const found = await this.#resources.read(await this.#tag('resource', resourceId))
    return found === undefined ? null : reviveDates(found.record)
  }

  async saveResource({ resource }: { resource: StorageResourceType }): Promise<StorageResourceType> {
    const tag = await this.#tag('resource', resource.id)
    await this.#resources.keep({ tag, title: clip(resource.id, 200), above: [await this.#tag('resources')] }, resource)
    return resource
  }

  async updateResource(update: { resourceId: string; workingMemory?: string; metadata?: Record<string, unknown> }) {
    const { resourceId: id, workingMemory, metadata } = update
    const now = new Date()
    const resource = (await this.getResourceById({ resourceId: id })) ?? { id, createdAt: now }
    return this.saveResource({
      resource: {
        ...resource,
        ...(workingMemory !== undefined && { workingMemory }),
        metadata: { ...('metadata' in resource ? resource.metadata : undefined), ...metadata },
        updatedAt: now,
      },
    })
  }

  #tag = (kind: string, ...names: string[]) => hashTag(`mastra-${kind}`, this.#folder, ...names)

  async #readMessage(id: string): Promise<MastraDBMessage | undefined> {
    const found = await this.#messages.read(await this.#tag('message', id))
    return found && reviveDate(found.record)
  }

  async #keepMessage(message: MastraDBMessage): Promise<void> {
    const { id, role, threadId = '', resourceId } = message
    const above = await Promise.all([
      this.#tag('messages'),
      this.#tag('messages-in', threadId),
      ...(resourceId === undefined ? [] : [this.#tag('messages-of', resourceId)]),
    ])
    await this.#messages.keep(
      { tag: await this.#tag('message', id), title: clip(`${role} in ${threadId}`, 200), above },
      message,
    )
  }

  /** The oldest first. */
  async #listTagged(tag: string): Promise<MastraDBMessage[]> {
    const found: MastraDBMessage[] = []
    for await (const { record } of this.#messages.list(tag)) found.push(reviveDate(record))
    return found.toReversed()
  }

  /** A page of the messages that pass the filter, and the included ones with those around them. */
  async #pageOf(
    messages: readonly MastraDBMessage[],
    input: Omit<StorageListMessagesInput, 'threadId'>,
  ): Promise<StorageListMessagesOutput> {
    const { page = 0, perPage, orderBy, include = [], filter = {} } = input
    this.validatePaginationInput(page, perPage ?? 40)
    const { direction } = this.parseOrderBy(orderBy, 'ASC')
    const found = messages.filter(
      ({ createdAt, content }) =>
        isInRange(createdAt, filter.dateRange ?? {}) && hasAll(content.metadata, filter.metadata ?? {}),
    )
    const { items, ...shown } = cutPage(
      sortByDate(found, (one) => one.createdAt, direction),
      page,
      perPage,
      40,
    )
    const all = new Map(
      [...items, ...(await this.#readIncluded(include, input.resourceId))].map((one) => [one.id, one]),
    )
    return { messages: sortByDate([...all.values()], (one) => one.createdAt, direction), ...shown }
  }

  async #readIncluded(
    include: NonNullable<StorageListMessagesInput['include']>,
    resourceId: string | undefined,
  ): Promise<MastraDBMessage[]> {
    const found: MastraDBMessage[] = []
    for (const { id, withPreviousMessages = 0, withNextMessages = 0 } of include) {
      const message = await this.#readMessage(id)
      if (message === undefined || (resourceId ?? message.resourceId) !== message.resourceId) continue
      const thread = await this.#listTagged(await this.#tag('messages-in', message.threadId ?? ''))
      const around = sortByDate(
        thread.filter((one) => resourceId === undefined || one.resourceId === resourceId),
        (one) => one.createdAt,
        'ASC',
      )
      const at = around.findIndex((one) => one.id === id)
      found.push(...around.slice(Math.max(0, at - withPreviousMessages), at + withNextMessages + 1))
    }
    return found
  }

  /** Updates the time of the threads that these messages are in. */
  async #touch(messages: readonly MastraDBMessage[]): Promise<void> {
    for (const threadId of new Set(messages.map((one) => one.threadId ?? ''))) {
      const thread = await this.getThreadById({ threadId })
      if (thread !== null) await this.saveThread({ thread: { ...thread, updatedAt: new Date() } })
    }
  }
}

// JSON has texts instead of dates.
const reviveDate = (message: MastraDBMessage): MastraDBMessage => ({
  ...message,
  createdAt: new Date(message.createdAt),
})

const reviveDates = <Dated extends { createdAt: Date; updatedAt: Date }>(record: Dated): Dated => ({
  ...record,
  createdAt: new Date(record.createdAt),
  updatedAt: new Date(record.updatedAt),
})

const hasAll = (metadata: Record<string, unknown> | undefined, wanted: Record<string, unknown>) =>
  Object.entries(wanted).every(([name, value]) => JSON.stringify(metadata?.[name]) === JSON.stringify(value))

type DateRange = NonNullable<NonNullable<StorageListMessagesInput['filter']>['dateRange']>

function isInRange(date: Date, { start, end, startExclusive = false, endExclusive = false }: DateRange): boolean {
  const isLate = start === undefined || (startExclusive ? date > start : date >= start)
  const isEarly = end === undefined || (endExclusive ? date < end : date <= end)
  return isLate && isEarly
}

function sortByDate<Item>(items: readonly Item[], dateOf: (item: Item) => Date, direction: 'ASC' | 'DESC'): Item[] {
  const sign = direction === 'ASC' ? 1 : -1
  return items.toSorted((a, b) => sign * (dateOf(a).getTime() - dateOf(b).getTime()))
}

function cutPage<Item>(
  items: readonly Item[],
  page: number,
  perPageInput: number | false | undefined,
  otherwise: number,
) {
  const size = normalizePerPage(perPageInput, otherwise)
  const { offset, perPage } = calculatePagination(page, perPageInput, size)
  const total = size === 0 ? 0 : items.length
  return { items: items.slice(offset, offset + size), total, page, perPage, hasMore: offset + size < total }
}
