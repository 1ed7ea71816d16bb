import { lockUser } from '../auth/store.ts'
import { conflict, invalid, notFound } from '../core/errors.ts'
import type { Database, Reader, Tx } from '../db/dialect.ts'
import { listLinkIdsOf } from '../links/graph-store.ts'
import { insertLink, linksIn, openLink, removeLinks, type StoredLink } from '../links/store.ts'
import { externalKindOf, findByExternalWriteId } from '../memories/claim-store.ts'
import { factsOf, prepareEntry } from '../memories/index-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { deleteMemories } from '../memories/purge-store.ts'
import { findMemories, insertMemory } from '../memories/store.ts'
import { findTasks, insertTask } from '../memories/task-store.ts'
import { moveVersions } from '../memories/version-store.ts'
import type { CallContext } from '../operation/context.ts'
import { moveDecisions } from '../review/decision-store.ts'
import type { PreparedEntry } from '../vault-index/index-record.ts'
import { forgetRemovals, insertEntry } from '../vault-index/stored/store.ts'
import { findVaultKeys, nextSeq } from '../vaults/store.ts'
import { findSupersededAt } from './export-store.ts'
import type { Importing, OpenVault } from './write-nodes.ts'

/**
 * Moves memories to another vault of the same person, all at once or none, and seals them under the target's keys. A memory
 * keeps its id, text, former texts, times, task, what it superseded, and that a person kept it in a review. Its links to records that stay behind are removed, since links
 * don't cross vaults.
 */

export interface Moving extends Omit<Importing, 'vault'>, Pick<CallContext, 'about'> {
  db: Database
  from: OpenVault
  to: OpenVault
}

export interface MovePlan {
  memories: Memory[]
  /** Links between the moved memories. */
  inner: StoredLink[]
  /** Links to records that stay behind. */
  outerIds: string[]
  /** The number of source notes, which stay behind. */
  sources: number
  /** Ids of memories whose idempotency key is used in the target. */
  taken: string[]
}

/** More than this would delay all other writes. */
const maxLinks = 2_000

export async function planMove(db: Reader, { from, to }: Moving, ids: readonly string[]): Promise<MovePlan> {
  const memories = await findMemories(db, from, ids)
  const found = memories.map(({ memoryId }) => memoryId)
  const linkIds = await listLinkIdsOf(db, from, found, maxLinks + 1)
  if (linkIds.length > maxLinks) throw invalid({ ids: `have more than ${maxLinks} links together; move fewer at once` })
  const links = await findByIds(db, from, linkIds)
  const moving = new Set(found)
  const isInner = ({ sourceId, targetId }: StoredLink) => moving.has(sourceId) && moving.has(targetId)
  const taken: string[] = []
  for (const memory of memories) {
    const { externalWriteId } = memory.head
    const isTaken =
      externalWriteId !== undefined &&
      (await findByExternalWriteId(db, to, externalWriteId, externalKindOf(memory.head))) !== undefined
    if (isTaken) taken.push(memory.memoryId)
  }
  return {
    memories,
    inner: links.filter(isInner),
    outerIds: links.filter((link) => !isInner(link)).map(({ linkId }) => linkId),
    sources: memories.reduce((sum, { head }) => sum + head.sourceNoteIds.length, 0),
    taken,
  }
}

const idsAtOnce = 500

async function findByIds(db: Reader, vault: OpenVault, ids: readonly string[]): Promise<StoredLink[]> {
  const links: StoredLink[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const some = ids.slice(at, at + idsAtOnce)
    const rows = await linksIn(db, vault).selectAll().where('id', 'in', some).orderBy('id').execute()
    links.push(...rows.map((row) => openLink(vault, row)))
  }
  return links
}

const tries = 3

/** Returns what was moved and removed. 409 if a memory's idempotency key is taken, or the memories keep changing. */
export async function moveRecords(ctx: Moving, ids: readonly string[]): Promise<MovePlan> {
  for (let left = tries; left > 0; left--) {
    const planned = await planMove(ctx.db.read, ctx, ids)
    refuseTaken(planned)
    if (planned.memories.length === 0) return planned
    const entries = await prepareEntries(ctx, planned.memories)
    const moved = await ctx.db.write(async (tx) => {
      // An import looks for ids in all vaults, and must see each memory in one.
      await lockUser(tx, ctx.from.userId)
      // An erasure takes the same lock. A vault that is being erased would lose the memories.
      for (const { userId, id } of [ctx.from, ctx.to])
        if ((await findVaultKeys(tx, userId, id)) === undefined) throw notFound('Vault')
      // Before reading the records: from here on, nothing else writes to either vault.
      const numbers = await takeNumbers(tx, ctx.from, ctx.to)
      const plan = await planMove(tx, ctx, ids)
      if (!isSame(planned, plan)) return undefined
      refuseTaken(plan)
      await writeMove(tx, ctx, { ...plan, entries }, numbers)
      return plan
    })
    if (moved !== undefined) return moved
  }
  throw conflict('The memories changed while they were being moved. Try again.')
}

function refuseTaken({ taken }: MovePlan): void {
  const [first] = taken
  if (first !== undefined)
    throw conflict(`The other vault has a record with the externalWriteId of ${first}. Leave that memory out.`)
}

/** Runs before the transaction, since it may call a provider. */
async function prepareEntries(ctx: Moving, memories: readonly Memory[]): Promise<Map<string, PreparedEntry>> {
  const entries = new Map<string, PreparedEntry>()
  for (const memory of memories) entries.set(memory.memoryId, await prepareEntry({ ...ctx, vault: ctx.to }, memory))
  return entries
}

const isSame = (planned: MovePlan, now: MovePlan): boolean => {
  const versions = new Map(planned.memories.map(({ memoryId, version }) => [memoryId, version]))
  return (
    now.memories.length === versions.size &&
    now.memories.every(({ memoryId, version }) => versions.get(memoryId) === version)
  )
}

async function writeMove(
  tx: Tx,
  { from, to, now, about }: Moving,
  { memories, inner, outerIds, entries }: MovePlan & { entries: ReadonlyMap<string, PreparedEntry> },
  [seq, targetSeq]: readonly [from: number, to: number],
): Promise<void> {
  const at = now()
  const ids = memories.map(({ memoryId }) => memoryId)
  about('memory', ids)
  const tasks = await findTasks(tx, from, ids)
  const supersededAt = await findSupersededAt(tx, from, ids)
  const linkIds = [...inner.map(({ linkId }) => linkId), ...outerIds]
  for (let start = 0; start < linkIds.length; start += idsAtOnce)
    await removeLinks(tx, from, { seq, at }, linkIds.slice(start, start + idsAtOnce))
  await moveVersions(tx, [from, to], ids)
  await moveDecisions(tx, [from, to], ids)
  await deleteMemories(tx, from, seq, ids)
  await forgetRemovals(tx, to, ids)
  for (const memory of memories) {
    const { memoryId } = memory
    const entry = entries.get(memoryId)
    if (entry === undefined) throw new TypeError('a moved memory has no entry')
    await insertMemory(tx, to, asMoved(memory, to), externalKindOf(memory.head))
    const facts = { ...factsOf(memory), supersededAt: supersededAt.get(memoryId) ?? null, ...entry.facts }
    await insertEntry(tx, to, targetSeq, { itemId: memoryId, facts, entry: entry.bytes })
    const task = tasks.get(memoryId)
    if (task !== undefined) await insertTask(tx, to, memoryId, task)
  }
  for (const { linkId: _id, createdAt, ...link } of inner)
    await insertLink(tx, to, { seq: targetSeq, at: createdAt }, link)
}

/** Locks the vaults in a fixed order, so two moves in opposite directions don't deadlock. */
async function takeNumbers(tx: Tx, from: OpenVault, to: OpenVault): Promise<[from: number, to: number]> {
  const numbers = new Map<string, number>()
  for (const vault of [from, to].toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    numbers.set(vault.id, await nextSeq(tx, vault))
  return [numbers.get(from.id) ?? 0, numbers.get(to.id) ?? 0]
}

/** With a new version, so that callers who read it before notice the change. */
const asMoved = (memory: Memory, { id }: OpenVault): Memory => ({
  ...memory,
  vaultId: id,
  version: memory.version + 1,
  contentRevision: memory.contentRevision + 1,
  head: { ...memory.head, sourceNoteIds: [] },
})
