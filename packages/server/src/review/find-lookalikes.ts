import { setImmediate as nextTurn } from 'node:timers/promises'
import { claimOf, likenessOf, likeQuery } from '../memories/find-duplicates.ts'
import { judge } from '../memories/dedup.ts'
import { hasMoreThan, listFollowing, type NewestPlace } from '../memories/list-store.ts'
import type { Memory } from '../memories/memory.ts'
import type { OnDamage } from '../crypto/cell.ts'
import { findIntactMemories } from '../memories/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { itemsLike, type LikeItem } from '../vault-index/duplicates.ts'
import { isDecided, listDecided } from './decision-store.ts'

/**
 * Finds memories that may say what an older one says. Since a person decides, more pairs qualify than for dedup: many
 * shared words, or nearly the same meaning. Compares the newest memories first. A small vault is compared completely; in a
 * large one, where each takes milliseconds, it stops after a while.
 */

interface Lookalike {
  newer: Memory
  older: Memory
  similarity: number
}

export interface LookalikePage {
  found: Lookalike[]
  /** How many memories were compared. */
  looked: number
  /** The last compared memory, or the start. */
  last: NewestPlace | undefined
  hasMore: boolean
}

const comparedAtOnce = 25
/** A vault with up to so many is compared completely, so that the answer doesn't depend on how busy the server is. */
const smallVault = 500
/** In other vaults, after this time, the answer contains what was found so far. */
const timeBudgetMs = 120

const minCommonWords = 0.55
const minSimilarity = 0.82

type Context = Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'embeddings' | 'now'> & { onDamage: OnDamage }

export async function findLookalikes(
  ctx: Context,
  { limit, after }: { limit: number; after: NewestPlace | undefined },
): Promise<LookalikePage> {
  const { db, vault, now } = ctx
  const decided = await listDecided(db.read, vault, 'duplicate')
  const filter = { state: 'live', now: now() } as const
  const isLarge = await hasMoreThan(db.read, vault, filter, smallVault)
  const stopAt = isLarge ? performance.now() + timeBudgetMs : Infinity
  const found: Lookalike[] = []
  let [looked, last] = [0, after]
  for (;;) {
    const places = await listFollowing(db.read, vault, filter, { limit: comparedAtOnce, after: last })
    const memories = await openAll(ctx, places)
    for (const place of places) {
      const memory = memories.get(place.id)
      const best = memory === undefined ? undefined : await findLookalike(ctx, memory, decided)
      if (best !== undefined) found.push(best)
      looked++
      last = place
      await nextTurn()
      if (found.length === limit || performance.now() > stopAt) return { found, looked, last, hasMore: true }
    }
    if (places.length < comparedAtOnce) return { found, looked, last, hasMore: false }
  }
}

async function openAll({ db, vault, onDamage }: Context, places: readonly NewestPlace[]): Promise<Map<string, Memory>> {
  const memories = await findIntactMemories(
    db.read,
    vault,
    places.map(({ id }) => id),
    onDamage,
  )
  return new Map(memories.map((memory) => [memory.memoryId, memory]))
}

async function findLookalike(
  { db, vault, indexes, embeddings, now, onDamage }: Context,
  newer: Memory,
  decided: ReadonlySet<string>,
): Promise<Lookalike | undefined> {
  // Events repeat, and only their owners know whether two tasks are the same.
  if (newer.memoryType === 'task' || newer.memoryType === 'episodic') return undefined
  const query = likeQuery(newer.memoryType, now(), embeddings)
  const like = await indexes.read(vault, (index) =>
    itemsLike(index, newer.memoryId, query).filter(
      ({ itemId }) => itemId < newer.memoryId && !isDecided(decided, [itemId, newer.memoryId]),
    ),
  )
  const older = await findIntactMemories(
    db.read,
    vault,
    like.map(({ itemId }) => itemId),
    onDamage,
  )
  const { dedup } = openSettings(vault)
  const scored = older.flatMap((each) => {
    const item = like.find(({ itemId }) => itemId === each.memoryId)
    if (item === undefined) return []
    const likeness = likenessOf(item, embeddings)
    const isSame = judge(claimOf(newer), claimOf(each), likeness, dedup) !== undefined
    const similarity = isSame ? 1 : scoreOf(item, likeness.similarity)
    return similarity === undefined ? [] : [{ newer, older: each, similarity }]
  })
  return scored.toSorted((one, other) => other.similarity - one.similarity)[0]
}

/** Undefined if they have too little in common. */
function scoreOf({ jaccard, sharesEntity }: LikeItem, similarity = 0): number | undefined {
  if (jaccard >= minCommonWords) return jaccard
  return similarity >= minSimilarity && sharesEntity ? similarity : undefined
}
