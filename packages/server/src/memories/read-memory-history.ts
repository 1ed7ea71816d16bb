import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { listNewestLinksFrom } from '../links/graph-store.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { listChain } from './list-store.ts'
import { describeMemory, exampleMemory, memoryRecord } from './memory.ts'
import { findMemories } from './store.ts'

export const readMemoryHistory = operation({
  name: 'read-memory-history',
  for: { person: 'GET /api/memories/history' },
  vault: 'required',
  summary:
    'List a memory with what it superseded and what superseded it, newest first. Earlier texts of an edited memory are not kept; version and updatedAt show how often and when it was edited.',
  effect: 'read',
  outdatedBy: ['memories', 'links'],
  about: ({ id }) => refs('memory', id),
  input: z.object({
    ...fields.ownVault,
    id: fields.memoryId,
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.looseObject({ history: z.array(memoryRecord), ...page }),
  examples: {
    input: { vaultId: exampleMemory.vaultId, id: exampleMemory.memoryId },
    output: { history: [exampleMemory], total: 1, limit: 20, offset: 0, hasMore: false },
  },
  async run({ id, limit, offset }, { db, vault }) {
    const chain = await listChain(db.read, vault, id)
    if (chain.length === 0) throw notFound('Memory')
    const ids = chain.slice(offset, offset + limit)
    const memories = new Map((await findMemories(db.read, vault, ids)).map((memory) => [memory.memoryId, memory]))
    const links = await listNewestLinksFrom(db.read, vault, ids)
    return {
      history: ids.flatMap((each) => memories.get(each) ?? []).map((memory) => describeMemory(memory, links)),
      ...pageOf({ limit, offset }, chain.length),
    }
  },
})
