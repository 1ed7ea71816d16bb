/**
 * What the adapter needs of Mastra, which is too large to install for every change: with its own dependencies it has 130 MB. A long test
 * compiles against the real package, and runs with it.
 */
declare module '@mastra/core/storage' {
  import type { MastraDBMessage, StorageThreadType } from '@mastra/core/memory'

  export type StorageOrderBy = { field?: 'createdAt' | 'updatedAt'; direction?: 'ASC' | 'DESC' }
  export type StorageResourceType = {
    id: string
    workingMemory?: string
    metadata?: Record<string, unknown>
    createdAt: Date
    updatedAt: Date
  }
  interface ListOptions {
    include?: { id: string; withPreviousMessages?: number; withNextMessages?: number }[]
    perPage?: number | false
    page?: number
    filter?: {
      dateRange?: { start?: Date; end?: Date; startExclusive?: boolean; endExclusive?: boolean }
      metadata?: Record<string, string | number | boolean | null>
    }
    orderBy?: StorageOrderBy
  }
  export type StorageListMessagesInput = ListOptions & { threadId: string | string[]; resourceId?: string }
  export type StorageListMessagesByResourceIdInput = ListOptions & { resourceId: string }
  interface PageInfo {
    total: number
    page: number
    perPage: number | false
    hasMore: boolean
  }
  export type StorageListMessagesOutput = PageInfo & { messages: MastraDBMessage[] }
  export type StorageListThreadsInput = {
    perPage?: number | false
    page?: number
    orderBy?: StorageOrderBy
    filter?: { resourceId?: string; metadata?: Record<string, unknown> }
  }
  export type StorageListThreadsOutput = PageInfo & { threads: StorageThreadType[] }

  export abstract class MemoryStorage {
    readonly supportsPartialThreadUpdate?: boolean
    protected parseOrderBy(orderBy?: StorageOrderBy, defaultDirection?: 'ASC' | 'DESC'): Required<StorageOrderBy>
    protected validatePaginationInput(page: number, perPage: number | false): void
    protected validateMetadataKeys(metadata: Record<string, unknown> | undefined): void
  }
  export class MastraCompositeStore {
    constructor(config: { id: string; name: string; disableInit?: boolean })
    stores?: { memory?: MemoryStorage }
  }
  export function normalizePerPage(perPage: number | false | undefined, otherwise: number): number
  export function calculatePagination(
    page: number,
    perPageInput: number | false | undefined,
    perPage: number,
  ): { offset: number; perPage: number | false }
}

declare module '@mastra/core/memory' {
  export interface MastraDBMessage {
    id: string
    role: 'user' | 'assistant' | 'system' | 'signal'
    createdAt: Date
    threadId?: string
    resourceId?: string
    type?: string
    content: { format: 2; parts: object[]; content?: string; metadata?: Record<string, unknown> }
  }
  export type StorageThreadType = {
    id: string
    title?: string
    resourceId: string
    createdAt: Date
    updatedAt: Date
    metadata?: Record<string, unknown>
  }
}
