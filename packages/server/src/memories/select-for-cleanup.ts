import type { Tx } from '../db/dialect.ts'
import type { AgentVaultContext } from '../operation/context.ts'
import { isMatch, isPrecious, type CleanupFilter } from './cleanup-filter.ts'
import { findCurrent, listNeeded, pagesOfMemories, type MemoryFacts } from './cleanup-store.ts'
import type { DedupThresholds } from './dedup.ts'
import { findCopies, type Copy } from './find-copies.ts'
import type { MemoryScope } from './store.ts'

/** What a clean-up would archive. */
export interface Selection {
  /** All that the filter matches, as far as was looked. */
  matched: number
  skippedProtected: number
  /** At most as many as were asked for, the oldest first. */
  chosen: Chosen[]
  /** Whether the time for comparing was over before all was compared. */
  isCut: boolean
}

interface Chosen extends MemoryFacts {
  /** Where it goes as a copy. */
  copy: Copy | undefined
}

interface Options {
  limit: number
  force: boolean
  thresholds: DedupThresholds
}

/** Comparing takes 1 to 2 ms a memory in a vault of 100,000; a call may take so long for it. */
const compareBudgetMs = 5_000
const comparedAtOnce = 50

export async function selectForCleanup(
  ctx: AgentVaultContext,
  filter: CleanupFilter,
  { limit, force, thresholds }: Options,
): Promise<Selection> {
  const selection: Selection = { matched: 0, skippedProtected: 0, chosen: [], isCut: false }
  const until = performance.now() + compareBudgetMs
  const going = new Set<string>()
  for await (const page of pagesOfMemories(ctx.db.read, ctx.vault)) {
    const matching = page.filter((memory) => isMatch(memory, filter, ctx.now()))
    const size = filter.duplicatesOnly === true ? comparedAtOnce : Math.max(1, matching.length)
    for (let at = 0; at < matching.length; at += size) {
      const some = matching.slice(at, at + size)
      if (filter.duplicatesOnly !== true) await take(ctx, selection, { limit, force }, some.map(whole))
      else {
        selection.isCut = performance.now() > until || selection.chosen.length === limit
        if (selection.isCut) return selection
        await take(ctx, selection, { limit, force }, await copiesAmong(ctx, some, going, thresholds))
      }
    }
  }
  return selection
}

const whole = (memory: MemoryFacts): Chosen => ({ ...memory, copy: undefined })

async function copiesAmong(
  ctx: AgentVaultContext,
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
  { db, vault }: AgentVaultContext,
  selection: Selection,
  { limit, force }: Pick<Options, 'limit' | 'force'>,
  found: readonly Chosen[],
): Promise<void> {
  selection.matched += found.length
  if (selection.chosen.length === limit) return
  const needed = force ? new Set() : await listNeeded(db.read, vault, idsOf(found))
  for (const memory of found) {
    if (selection.chosen.length === limit) return
    if (!force && (isPrecious(memory) || needed.has(memory.id))) selection.skippedProtected++
    else selection.chosen.push(memory)
  }
}

/** Those of the chosen that are as they were, and nothing hangs on; under the vault's lock. */
export async function stillChosen(
  tx: Tx,
  scope: MemoryScope,
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
