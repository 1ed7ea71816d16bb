import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { collectDamage } from '../crypto/cell.ts'
import { listNewestLinksFrom } from '../links/graph-store.ts'
import type { PersonVaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { describeLeftOut, leftOut, page, pageOf } from '../operation/page.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import {
  describeOutline,
  describeVersion,
  exampleOutline,
  listChanges,
  memoryVersion,
  memoryVersionOutline,
  textChange,
} from './former-text.ts'
import { listChain } from './list-store.ts'
import { describeMemory, exampleMemory, memoryRecord } from './memory.ts'
import { findIntactMemories, getMemory } from './store.ts'
import { findTasks } from './task-store.ts'
import { findFormerText, listFormerTexts } from './version-store.ts'

export const readMemoryHistory = operation({
  name: 'read-memory-history',
  for: { person: 'GET /api/memories/history' },
  vault: 'required',
  summary:
    'List a memory with what it superseded and what superseded it, newest first, and its older versions: what another writer or another run replaced. Or read one older version and what changed since.',
  effect: 'read',
  outdatedBy: ['memories', 'links'],
  about: ({ id }) => refs('memory', id),
  input: z.object({
    ...fields.ownVault,
    id: fields.memoryId,
    version: z.coerce.number().int().min(1).optional().describe('Only this older version, as `version`.'),
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.union([
    z.looseObject({
      history: z.array(memoryRecord),
      ...leftOut,
      ...page,
      versions: z.array(memoryVersionOutline).describe('Older versions of this memory, latest first.'),
    }),
    z.looseObject({
      version: memoryVersion,
      changes: z.array(textChange).describe('What differs between this version and the current one.'),
    }),
  ]),
  examples: {
    input: { vaultId: exampleMemory.vaultId, id: exampleMemory.memoryId },
    output: {
      history: [exampleMemory],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
      versions: [exampleOutline],
    },
  },
  async run({ id, version, limit, offset }, ctx) {
    if (version !== undefined) return readVersion(ctx, id, version)
    const { db, vault } = ctx
    const chain = await listChain(db.read, vault, id)
    if (chain.length === 0) throw notFound('Memory')
    const memory = await getMemory(db.read, vault, id)
    const ids = chain.slice(offset, offset + limit)
    const damage = collectDamage(ctx.instance.onDamage)
    const intact = await findIntactMemories(db.read, vault, ids, damage.onDamage)
    const memories = new Map(intact.map((each) => [each.memoryId, each]))
    const links = await listNewestLinksFrom(db.read, vault, ids)
    const versions = (await listFormerTexts(db.read, vault, id)).map((former) => describeOutline(memory, former))
    const history = ids.flatMap((each) => memories.get(each) ?? []).map((each) => describeMemory(each, links))
    await addKeyLabels(ctx, [...history, ...versions])
    return {
      history,
      ...describeLeftOut(damage.ids),
      ...pageOf({ limit, offset }, chain.length),
      versions,
    }
  },
})

async function readVersion({ db, vault }: Pick<PersonVaultContext, 'db' | 'vault'>, id: string, version: number) {
  const memory = await getMemory(db.read, vault, id)
  const former = await findFormerText(db.read, vault, id, version)
  if (former === undefined) throw notFound('Version')
  const task = (await findTasks(db.read, vault, [id])).get(id)?.detail
  return { version: describeVersion(memory, former), changes: listChanges(former, { memory, task }) }
}
