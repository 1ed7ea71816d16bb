import { z } from 'zod'
import { refs } from '../calls/records.ts'
import { conflict, invalid, notFound } from '../core/errors.ts'
import { listLinks } from '../links/graph-store.ts'
import { insertLink, removeLinks, type StoredLink } from '../links/store.ts'
import { writerOf, type WriterContext } from '../operation/claimed-agent.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { nextSeq } from '../vaults/store.ts'
import { sealUndo } from '../vaults/undo-store.ts'
import { authorshipOf, shapeOf, trustOf } from './authorship.ts'
import { exampleMemory, type Memory, memoryRecord } from './memory.ts'
import { readRecord } from './read-memories.ts'
import { undoSupersede } from './related-memories.ts'
import { type MemoryUpdateContext, saveUpdate, undoMemoryText } from './update-memory.ts'
import { findMemories, getMemory } from './store.ts'

const exampleOtherId = '0198c5f0-0000-7000-8000-000000000102'

export const mergeMemories = operation({
  name: 'merge-memories',
  for: { person: 'POST /api/memories/merge' },
  vault: 'required',
  summary:
    'Merge memories that say the same thing: one of them gets the entities, importance and links of all, and supersedes the others.',
  effect: 'write',
  changes: ['memories', 'tasks'],
  about: ({ id }) => refs('memory', id),
  input: z.object({
    ...fields.ownVault,
    id: fields.memoryId.describe('The memory to keep, with its text.'),
    otherIds: z.array(z.uuid()).min(1).max(20).describe('The memories that it supersedes, 1 to 20.'),
  }),
  output: z.looseObject({
    memory: memoryRecord,
    mergedIds: z.array(z.uuid()).describe('The superseded memories. They can still be read.'),
    undo: z
      .string()
      .nullable()
      .describe(
        'Undoes the merge: pass it to decide-review. Null if the merge copied too many links, or if the memory was changed at the same time.',
      ),
  }),
  examples: {
    input: { vaultId: exampleMemory.vaultId, id: exampleMemory.memoryId, otherIds: [exampleOtherId] },
    output: {
      memory: { ...exampleMemory, supersedesId: exampleOtherId, version: 2 },
      mergedIds: [exampleOtherId],
      undo: null,
    },
  },
  async run({ id, otherIds }, ctx) {
    const mergedIds = [...new Set(otherIds)]
    const { kept, others } = await findMergeable(ctx, id, mergedIds)
    const linkIds: string[] = []
    let { version } = kept
    for (const other of others) {
      const merged = await mergeInto(ctx, id, other)
      linkIds.push(...merged.linkIds)
      if (merged.updated) version++
    }
    const memory = await readRecord(ctx, id)
    const newIds = others.flatMap((other) => (other.supersededById === undefined ? other.memoryId : []))
    const undo = describeUndo(kept, { version: memory.version, otherIds: newIds, linkIds })
    // A change in between would be undone, too.
    const canUndo = memory.version === version && linkIds.length <= maxUndoneLinks
    return { memory, mergedIds, undo: canUndo ? sealUndo(ctx.vault, undo) : null }
  },
})

/** A token of this many ids is some 50 kB. */
const maxUndoneLinks = 1_000

/** What a merge changed. */
interface MergeUndo {
  did: 'merge'
  keptId: string
  /** After the merge. */
  version: number
  otherIds: string[]
  /** The links that it copied. */
  linkIds: string[]
  before: Pick<Memory, 'importance' | 'supersedesId'> & {
    entities: string[]
    authorship: ReturnType<typeof authorshipOf>
  }
}

const describeUndo = (kept: Memory, done: Pick<MergeUndo, 'version' | 'otherIds' | 'linkIds'>): MergeUndo => ({
  did: 'merge',
  keptId: kept.memoryId,
  ...done,
  before: {
    importance: kept.importance,
    supersedesId: kept.supersedesId,
    entities: kept.head.entities,
    authorship: authorshipOf(kept),
  },
})

export const isMergeUndo = (undo: unknown): undo is MergeUndo => (undo as Partial<MergeUndo>).did === 'merge'

/** Makes the merged memories live again, and takes their entities, importance and links from the kept one. */
export async function undoMerge(
  ctx: MemoryUpdateContext & WriterContext & Pick<VaultContext, 'about'>,
  { keptId, version, otherIds, linkIds, before }: MergeUndo,
): Promise<void> {
  const { db, vault, now } = ctx
  const by = writerOf(ctx)
  await db.write(async (tx) => {
    const when = { seq: await nextSeq(tx, vault), at: now() }
    const kept = await getMemory(tx, vault, keptId)
    if (kept.version !== version) throw conflict("It has changed since the merge, so the merge can't be undone here")
    for (const supersedesId of otherIds) await undoSupersede(tx, vault, when, { memoryId: keptId, supersedesId })
    await removeLinks(tx, vault, when, linkIds)
    const { importance, entities, supersedesId, authorship } = before
    const shape = { ...shapeOf(kept), importance, entities }
    const former = { version, shape, task: undefined, updatedAt: kept.updatedAt, ...authorship }
    await undoMemoryText(tx, ctx, when.seq, { memory: { ...kept, supersedesId }, former, by })
  })
  ctx.about('memory', [keptId, ...otherIds])
}

const linksAtOnce = 500

/** Checks all memories before the first change: 404 if one doesn't exist, 400 if one can't be merged. */
async function findMergeable(
  ctx: Pick<VaultContext, 'db' | 'vault'>,
  keptId: string,
  otherIds: readonly string[],
): Promise<{ kept: Memory; others: Memory[] }> {
  if (otherIds.includes(keptId)) throw invalid({ otherIds: 'a memory cannot be merged into itself' })
  const found = await findMemories(ctx.db.read, ctx.vault, [keptId, ...otherIds])
  const byId = new Map(found.map((memory) => [memory.memoryId, memory]))
  const kept = byId.get(keptId)
  const others = otherIds.flatMap((id) => byId.get(id) ?? [])
  if (kept === undefined || others.length < otherIds.length) throw notFound('Memory')
  if ([kept, ...others].some(({ memoryType }) => memoryType === 'task'))
    throw invalid({ otherIds: 'tasks cannot be merged' })
  // This also rules out cycles: the kept memory isn't superseded by one of the others.
  if (kept.archivedAt !== undefined || kept.supersededById !== undefined)
    throw invalid({ id: 'is archived or superseded' })
  const taken = others.find(({ supersededById }) => supersededById !== undefined && supersededById !== keptId)
  if (taken !== undefined) throw invalid({ otherIds: `${taken.memoryId} is already superseded by another memory` })
  return { kept, others }
}

/** Links are copied first: after a crash in between they exist twice, and repeating the call completes the merge. */
async function mergeInto(
  ctx: MemoryUpdateContext & WriterContext,
  keptId: string,
  other: Memory,
): Promise<{ linkIds: string[]; updated: boolean }> {
  const linkIds = await copyLinks(ctx, keptId, other.memoryId)
  const change = {
    memoryId: keptId,
    leastImportance: other.importance,
    moreEntities: other.head.entities,
    takesFrom: trustOf(other),
    supersededById: other.memoryId,
  }
  const { updated } = await saveUpdate(ctx, change, { by: writerOf(ctx) })
  return { linkIds, updated }
}

/**
 * Copies the links, except links from texts and `supersedes` links, and returns the ids of the new ones. A few hundred per transaction, as a
 * hub may have many.
 */
async function copyLinks(
  { db, vault }: Pick<VaultContext, 'db' | 'vault'>,
  keptId: string,
  otherId: string,
): Promise<string[]> {
  const copied: string[] = []
  const query = { nodeId: otherId, direction: 'both' } as const
  for (let offset = 0, isDone = false; !isDone; offset += linksAtOnce) {
    const some = await db.write(async (tx) => {
      const ids: string[] = []
      const seq = await nextSeq(tx, vault)
      const { links, total } = await listLinks(tx, vault, query, { limit: linksAtOnce, offset })
      for (const link of links.filter(isCopied)) {
        const { sourceType, targetType, relationType, label, origin, createdAt } = link
        const ends = endsFor(link, keptId, otherId)
        if (ends.sourceId === ends.targetId) continue
        const { linkId, created } = await insertLink(
          tx,
          vault,
          { seq, at: createdAt },
          { sourceType, targetType, relationType, label, origin, ...ends },
        )
        if (created) ids.push(linkId)
      }
      return { ids, isLast: offset + linksAtOnce >= total }
    })
    copied.push(...some.ids)
    isDone = some.isLast
  }
  return copied
}

const isCopied = ({ origin, relationType }: StoredLink) => origin !== 'wiki' && relationType !== 'supersedes'

const endsFor = ({ sourceId, targetId }: StoredLink, keptId: string, otherId: string) => ({
  sourceId: sourceId === otherId ? keptId : sourceId,
  targetId: targetId === otherId ? keptId : targetId,
})
