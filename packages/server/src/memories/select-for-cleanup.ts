import { setImmediate as nextTurn } from 'node:timers/promises'
import { dayMs } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { itemsLike, type LikeItem } from '../vault-index/duplicates.ts'
import { findCurrent, listNeeded, type MemoryFacts, pagesOfMemories } from './cleanup-store.ts'
import { type DedupThresholds, judge } from './dedup.ts'
import { claimOf, type ComparingModel, likenessOf, likeQuery } from './find-duplicates.ts'
import type { Memory } from './memory.ts'
import { policyHolder } from '../proposals/permit.ts'
import { isOfPerson } from './authorship.ts'
import { judgeMemory } from './related-memories.ts'
import { findIntactMemories } from './store.ts'

/** What a clean-up would archive. */
export interface Selection {
  /** All matches among the memories looked at. */
  matched: number
  skippedProtected: number
  /** Up to the limit, the oldest first. */
  chosen: Chosen[]
  /** Those of the chosen that a person wrote. */
  personsIds: Set<string>
  /** The last memory looked at, if comparing stopped early: out of time, or the limit reached. */
  comparedUpTo: string | undefined
}

interface Chosen extends MemoryFacts {
  /** Set if it is archived as a copy. */
  copy: Copy | undefined
}

interface Options {
  limit: number
  force: boolean
  thresholds: DedupThresholds
}

/** Time for comparing in one call. Each memory takes 1 to 2 ms in a vault of 100,000. */
const compareBudgetMs = 5_000
const comparedAtOnce = 20

type Context = Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'embeddings' | 'now' | 'actor' | 'instance'>

export async function selectForCleanup(
  ctx: Context,
  filter: CleanupFilter & { afterMemoryId?: string | undefined },
  { limit, force, thresholds }: Options,
): Promise<Selection> {
  const selection: Selection = {
    matched: 0,
    skippedProtected: 0,
    chosen: [],
    personsIds: new Set(),
    comparedUpTo: undefined,
  }
  const until = performance.now() + compareBudgetMs
  const going = new Set<string>()
  for await (const page of pagesOfMemories(ctx.db.read, ctx.vault, filter.afterMemoryId)) {
    const matching = page.filter((memory) => isMatch(memory, filter, ctx.now()))
    if (filter.duplicatesOnly !== true) {
      await take(ctx, selection, { limit, force }, matching.map(whole))
      continue
    }
    for (let at = 0; at < matching.length; at += comparedAtOnce) {
      const some = matching.slice(at, at + comparedAtOnce)
      await take(ctx, selection, { limit, force }, await copiesAmong(ctx, some, going, thresholds))
      // Matches beyond the limit are found again after the last chosen one.
      const last = selection.chosen.length === limit ? selection.chosen.at(-1) : some.at(-1)
      if (selection.chosen.length === limit || performance.now() > until)
        return { ...selection, comparedUpTo: last?.id }
    }
  }
  return selection
}

const whole = (memory: MemoryFacts): Chosen => ({ ...memory, copy: undefined })

async function copiesAmong(
  ctx: Context,
  memories: readonly MemoryFacts[],
  going: Set<string>,
  thresholds: DedupThresholds,
): Promise<Chosen[]> {
  const ids = memories.map(({ id }) => id)
  const copies = new Map((await findCopies(ctx, ids, going, thresholds)).map((copy) => [copy.memoryId, copy]))
  return memories.flatMap((memory) => {
    const copy = copies.get(memory.id)
    return copy === undefined ? [] : { ...memory, copy }
  })
}

async function take(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'actor' | 'instance'>,
  selection: Selection,
  { limit, force }: Pick<Options, 'limit' | 'force'>,
  found: readonly Chosen[],
): Promise<void> {
  selection.matched += found.length
  if (selection.chosen.length === limit) return
  const holder = policyHolder(ctx)
  const needed = force ? new Set() : await listNeeded(ctx.db.read, ctx.vault, idsOf(found))
  for (let at = 0; at < found.length;) {
    const some = found.slice(at, at + Math.min(openedAtOnce, limit - selection.chosen.length))
    if (some.length === 0) return
    const opened = new Map(
      (await findIntactMemories(ctx.db.read, ctx.vault, idsOf(some))).map((one) => [one.memoryId, one]),
    )
    for (const memory of some) {
      const read = opened.get(memory.id)
      const isProtected = !force && (isPrecious(memory) || needed.has(memory.id))
      const mayArchive = read !== undefined && (await judgeMemory(ctx.db.read, ctx.vault, holder, read)) === 'yes'
      if (isProtected || !mayArchive) selection.skippedProtected++
      else {
        selection.chosen.push(memory)
        if (isOfPerson(read)) selection.personsIds.add(memory.id)
      }
    }
    at += some.length
    await nextTurn()
  }
}

/** Only the texts tell who wrote them. */
const openedAtOnce = 100

/** Under the vault's lock: the chosen memories that are unchanged and still not needed. */
export async function stillChosen(
  tx: Tx,
  scope: VaultScope,
  chosen: readonly Chosen[],
  force: boolean,
): Promise<string[]> {
  if (chosen.length === 0) return []
  const kept = chosen.flatMap(({ copy }) => copy?.keptId ?? [])
  const current = new Map(
    (await findCurrent(tx, scope, [...new Set([...idsOf(chosen), ...kept])])).map(({ id, updatedAt }) => [
      id,
      updatedAt,
    ]),
  )
  const needed = force ? new Set() : await listNeeded(tx, scope, idsOf(chosen))
  return chosen
    .filter(({ id, updatedAt }) => current.get(id) === updatedAt && !needed.has(id))
    .filter(({ copy }) => copy === undefined || current.get(copy.keptId) === copy.keptUpdatedAt)
    .map(({ id }) => id)
}

const idsOf = (memories: readonly MemoryFacts[]) => memories.map(({ id }) => id)

/** A memory that says what an older one says, at the time they were compared. */
interface Copy {
  memoryId: string
  keptId: string
  keptUpdatedAt: number
}

/**
 * Which of these memories say what an older one says that stays. No memory supersedes another here; only writes do that.
 * Tasks are left out: only their owners know whether two are the same.
 */
async function findCopies(
  { db, vault, indexes, embeddings, now }: Context,
  ids: readonly string[],
  /** Memories that will be archived, so they can't replace others. The found copies are added. */
  going: Set<string>,
  thresholds: DedupThresholds,
): Promise<Copy[]> {
  const read = await findIntactMemories(db.read, vault, ids)
  const memories = read.filter(({ memoryType }) => memoryType !== 'task').toSorted(byAge)
  const copies: Copy[] = []
  for (const memory of memories) {
    const { memoryId, memoryType } = memory
    const query = likeQuery(memoryType, now(), embeddings)
    const like = await indexes.read(vault, (index) =>
      itemsLike(index, memoryId, query).filter(({ itemId }) => itemId < memoryId && !going.has(itemId)),
    )
    const kept = await findKept(memory, like, await findIntactMemories(db.read, vault, likeIds(like)), {
      model: embeddings,
      thresholds,
    })
    // Each comparison takes milliseconds in a large vault; other requests run in between.
    await nextTurn()
    if (kept === undefined) continue
    going.add(memoryId)
    copies.push({ memoryId, keptId: kept.memoryId, keptUpdatedAt: kept.updatedAt })
  }
  return copies
}

interface Measure {
  model: ComparingModel | undefined
  thresholds: DedupThresholds
}

const likeIds = (like: readonly LikeItem[]) => like.map(({ itemId }) => itemId)

async function findKept(
  memory: Memory,
  like: readonly LikeItem[],
  older: readonly Memory[],
  measure: Measure,
): Promise<Memory | undefined> {
  const known = new Map(older.map((each) => [each.memoryId, each]))
  for (const item of like) {
    const other = known.get(item.itemId)
    if (other !== undefined && isSaidBy(other, memory, item, measure)) return other
    await nextTurn()
  }
  return undefined
}

function isSaidBy(older: Memory, memory: Memory, item: LikeItem, { model, thresholds }: Measure): boolean {
  const verdict = judge(claimOf(memory), claimOf(older), likenessOf(item, model), thresholds)
  return verdict !== undefined && verdict.action !== 'superseded'
}

/** Ids begin with their time of creation. */
const byAge = (a: Memory, b: Memory) => (a.memoryId < b.memoryId ? -1 : 1)

/** The filters of a clean-up. A field left out does not filter. */
export interface CleanupFilter {
  olderThanDays?: number | undefined
  maxImportance?: number | undefined
  maxConfidence?: number | undefined
  memoryTypes?: readonly string[] | undefined
  notAccessedSinceDays?: number | undefined
  includeExpired?: boolean | undefined
  duplicatesOnly?: boolean | undefined
}

/** An empty list of types, as some agents send it, does not filter. */
const narrows = ({ memoryTypes = [], ...rest }: CleanupFilter): boolean =>
  memoryTypes.length > 0 ||
  rest.duplicatesOnly === true ||
  [rest.olderThanDays, rest.maxImportance, rest.maxConfidence, rest.notAccessedSinceDays].some(
    (value) => value !== undefined,
  )

/** Whether there is any filter. A clean-up never covers the whole vault. */
export const isFilter = (filter: CleanupFilter): boolean => narrows(filter) || filter.includeExpired === true

/** For a memory that is not archived or superseded. `includeExpired` alone matches only expired memories. */
function isMatch(memory: MemoryFacts, filter: CleanupFilter, now: number): boolean {
  const hasExpired = memory.expiresAt !== null && memory.expiresAt <= now
  if (hasExpired && filter.includeExpired !== true) return false
  const { olderThanDays = 0, maxImportance = 5, maxConfidence = 5, memoryTypes = [], notAccessedSinceDays = 0 } = filter
  return (
    (hasExpired || narrows(filter)) &&
    memory.updatedAt <= now - olderThanDays * dayMs &&
    memory.importance <= maxImportance &&
    memory.confidence <= maxConfidence &&
    (memoryTypes.length === 0 || memoryTypes.includes(memory.type)) &&
    (memory.lastAccessedAt ?? memory.createdAt) <= now - notAccessedSinceDays * dayMs
  )
}

/** Whether a memory is protected by its own columns. */
const isPrecious = ({ importance, type }: MemoryFacts): boolean =>
  importance === 5 || type === 'constraint' || type === 'correction'
