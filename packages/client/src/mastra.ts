import { MastraCompositeStore } from '@mastra/core/storage'
import type { Client } from './create-client.ts'
import { HoldfastMemoryStorage } from './mastra-memory.ts'

export { HoldfastMemoryStorage } from './mastra-memory.ts'

export interface MastraOptions {
  /** Folder of the notes. It is created if it doesn't exist. Default: `mastra`. */
  folder?: string
}

/**
 * Mastra's storage of memory, for `new Memory({ storage })`: threads, messages, and the working memory of resources. Each is a note.
 * Deleted ones go to the trash. It has no other domain, such as workflows or traces: combine it with another storage for those, with
 * `new MastraCompositeStore({ id, default: other, domains: { memory: new HoldfastMemoryStorage(client) } })`.
 */
export class HoldfastStorage extends MastraCompositeStore {
  constructor(client: Client, options: MastraOptions = {}) {
    super({ id: 'holdfast', name: 'Holdfast' })
    this.stores = { memory: new HoldfastMemoryStorage(client, options) }
  }
}
