import type { VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import { isMatch, isPrecious, type CleanupFilter } from './cleanup-filter.ts'
import { findCurrent, listNeeded, pagesOfMemories, type MemoryFacts } from './cleanup-store.ts'
import type { DedupThresholds } from './dedup.ts'
import { findCopies, type Copy } from './find-copies.ts'

/** What a clean-up would archive. */
export interface Selection {
  /** All that the filter matches, as far as was looked. */
  matched: number
  skippedProtected: number
  /** At most as many as were asked for, the oldest first. */
  chosen: Chosen[]
  /** The last memory that was looked at, where comparing stopped before the end: the time was over, or enough were found. */
  comparedUpTo: string | undefined
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
const comparedAtOnce = 20

export async function selectForCleanup(
  ctx: VaultContext,
  filter: CleanupFilter & { afterMemoryId?: string | undefined },
  { limit, force, thresholds }: Options,
): Promise<Selection> {
  const selection: Selection = { matched: 0, skippedProtected: 0, chosen: [], comparedUpTo: undefined }
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
      // What found no room is found again behind the last that did.
      const last = selection.chosen.length === limit ? selection.chosen.at(-1) : some.at(-1)
      if (selection.chosen.length === limit || performance.now() > until)
        return { ...selection, comparedUpTo: last?.id }
    }
  }
  return selection
}

const whole = (memory: MemoryFacts): Chosen => ({ ...memory, copy: undefined })

async function copiesAmong(
  ctx: VaultContext,
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
  { db, vault }: VaultContext,
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
