import { listNewestLinksFrom } from '../links/graph-store.ts'
import type { VaultContext } from '../operation/context.ts'
import { describeMemory, type MemoryRecord } from './memory.ts'
import { getMemory } from './store.ts'

/** The memory as it is sent, with the memories that it links to; 404 where there is none. That a person looks at it is no recall. */
export async function readRecord({ db, vault }: Pick<VaultContext, 'db' | 'vault'>, id: string): Promise<MemoryRecord> {
  const memory = await getMemory(db.read, vault, id)
  return describeMemory(memory, await listNewestLinksFrom(db.read, vault, [id]))
}
