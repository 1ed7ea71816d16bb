import type { VaultScope } from '../crypto/keys.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pauses } from '../core/in-pieces.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import type { EmbeddingProvider } from '../embeddings/provider.ts'
import type { Services } from '../operation/context.ts'
import { likeItems, type LikeItem, type LikeQuery } from '../vault-index/duplicates.ts'
import { decodeEntry } from '../vault-index/stored/entry.ts'
import { asChange, partsOf } from '../vault-index/load.ts'
import { entriesSince, type StoredEntry } from '../vault-index/stored/store.ts'
import { VaultIndex } from '../vault-index/vault-index.ts'
import {
  bestVerdict,
  judge,
  minShareRead,
  minSimilarityRead,
  maxComparedChars,
  type Claim,
  type DedupThresholds,
  type Likeness,
  type Verdict,
} from './dedup.ts'
import type { Memory } from './memory.ts'
import { findIntactMemories } from './store.ts'
import { plainTask, type TaskState } from './task-state.ts'
import { findTasks } from './task-store.ts'

/**
 * Finds duplicates of a memory before it is written. The vault's index names a few candidates, whose texts are read and
 * judged. The transaction of the write repeats this for the few records written since. So two equal writes at once store one
 * record, even on different servers.
 */
export interface DuplicateSearch {
  memory: Memory
  task: TaskState | undefined
  /** The memory's own index entry. */
  entry: Uint8Array
  /** The model whose vectors are compared; undefined: no vectors are compared. */
  model: ComparingModel | undefined
  thresholds: DedupThresholds
}

/** The parts of an embedding provider that comparing needs. */
export type ComparingModel = Pick<EmbeddingProvider, 'id' | 'calibration' | 'isMeanOfWords'>

export interface KnownDuplicates {
  /** The vault's change number at which this was found. */
  seq: number
  verdicts: Verdict[]
}

/** `seq`: the change number that the index must have reached. */
export async function findDuplicates(
  { db, vault, indexes }: Pick<Services, 'db' | 'indexes'> & { vault: VaultScope },
  search: DuplicateSearch,
  seq: number,
): Promise<KnownDuplicates> {
  const found = await indexes.read({ ...vault, seq }, (index) => ({ seq: index.seq, like: likeIn(index, search) }))
  const verdicts: Verdict[] = []
  for (const pair of await readPairs(db.read, vault, search, found.like)) {
    verdicts.push(...verdictOn(search, pair))
    await nextTurn()
  }
  return { seq: found.seq, verdicts }
}

/**
 * The duplicate to return, found under the vault's lock. `outdated` if too much was written since to compare while other writers
 * wait: the limits are a page of entries, 2 MB of them (60 ms), and texts that take 160 ms, or 200 ms if they are hostile. Others than
 * writers to this vault get their turn in between.
 */
export async function settleDuplicates(
  tx: Tx,
  scope: VaultScope,
  search: DuplicateSearch,
  known: KnownDuplicates,
): Promise<Verdict | undefined | 'outdated'> {
  const pages = entriesSince(tx, scope, known.seq)
  const first = await pages.next()
  const written = first.done === true ? [] : first.value
  if ((await pages.next()).done !== true || bytesOf(written) > maxSettledBytes) return 'outdated'
  const changed = new Set(written.map(({ itemId }) => itemId))
  const verdicts = known.verdicts.filter(({ memoryId }) => !changed.has(memoryId))
  const pairs = await readPairs(tx, scope, search, await likeAmong(written, search))
  if (charsOf(search, pairs) > maxSettledChars) return 'outdated'
  for (const pair of pairs) {
    verdicts.push(...verdictOn(search, pair))
    await nextTurn()
  }
  return chooseDuplicate(tx, scope, search, verdicts)
}

const maxSettledBytes = 2 ** 21
const maxSettledChars = 20 * maxComparedChars

const bytesOf = (written: readonly StoredEntry[]) => written.reduce((sum, { entry }) => sum + (entry?.length ?? 0), 0)

/** Each part is an index of its own: one that grows would be copied again and again, and compared in one piece. */
async function likeAmong(written: readonly StoredEntry[], search: DuplicateSearch): Promise<LikeItem[]> {
  const like: LikeItem[] = []
  const pause = pauses()
  for (const part of partsOf(written)) {
    const index = new VaultIndex()
    index.apply(part.map(asChange))
    like.push(...likeIn(index, search))
    index.wipe()
    await pause()
  }
  return like
}

const charsOf = ({ memory }: DuplicateSearch, pairs: readonly Pair[]) =>
  pairs.reduce((chars, { older }) => chars + memory.content.length + older.content.length, 0)

/** The best duplicate. A task must also match in status and details. */
export const chooseDuplicate = async (
  db: Reader,
  scope: VaultScope,
  search: DuplicateSearch,
  verdicts: readonly Verdict[],
): Promise<Verdict | undefined> =>
  bestVerdict(search.memory.memoryType === 'task' ? await sameTasks(db, scope, search, verdicts) : verdicts)

const likeIn = (index: VaultIndex, { memory, entry, model }: DuplicateSearch): LikeItem[] =>
  likeItems(index, decodeEntry(entry), likeQuery(memory.memoryType, memory.createdAt, model))

export const likeQuery = (type: string, asOf: number, model: ComparingModel | undefined): LikeQuery => ({
  type,
  asOf,
  leastJaccard: minShareRead,
  modelId: model?.id,
  leastCosine: model?.calibration.toCosine(minSimilarityRead) ?? 1,
})

export const likenessOf = (
  { jaccard, cosine, sharesEntity }: LikeItem,
  model: ComparingModel | undefined,
): Likeness => ({
  jaccard,
  similarity: cosine === undefined ? undefined : model?.calibration.toSimilarity(cosine),
  isByWords: model?.isMeanOfWords ?? false,
  sharesEntity,
})

interface Pair {
  older: Memory
  item: LikeItem
}

/** Long texts are duplicates only if they are the same, which the index knows, so others are neither read nor compared. */
async function readPairs(
  db: Reader,
  scope: VaultScope,
  { memory }: DuplicateSearch,
  like: LikeItem[],
): Promise<Pair[]> {
  const mayBeSame = ({ hasSameText }: LikeItem, olderChars: number) =>
    hasSameText || memory.content.length + olderChars <= maxComparedChars
  const items = new Map(like.filter((item) => mayBeSame(item, 0)).map((item) => [item.itemId, item]))
  const memories = await findIntactMemories(db, scope, [...items.keys()])
  return memories.flatMap((older) => {
    const item = items.get(older.memoryId)
    return item !== undefined && mayBeSame(item, older.content.length) ? [{ older, item }] : []
  })
}

const verdictOn = ({ memory, model, thresholds }: DuplicateSearch, { older, item }: Pair): Verdict[] => {
  const verdict = judge(claimOf(memory), claimOf(older), likenessOf(item, model), thresholds)
  return verdict === undefined ? [] : [verdict]
}

export const claimOf = ({ memoryId, memoryType, content, head, occurredAt, expiresAt }: Memory): Claim => ({
  memoryId,
  memoryType,
  content,
  entities: head.entities,
  occurredAt,
  expiresAt,
})

/**
 * A done task is no duplicate of a new one, nor is a task with another status, assignee, reason or condition: the new
 * details would be lost.
 */
async function sameTasks(db: Reader, scope: VaultScope, { task }: DuplicateSearch, verdicts: readonly Verdict[]) {
  const ids = verdicts.map(({ memoryId }) => memoryId)
  const tasks = await findTasks(db, scope, ids)
  const { status, detail } = task ?? plainTask()
  return verdicts.filter(({ memoryId }) => {
    const other = tasks.get(memoryId)
    return (
      other !== undefined &&
      other.status !== 'done' &&
      other.status === status &&
      other.detail.assignedAgentId === detail.assignedAgentId &&
      other.detail.blockedReason === detail.blockedReason &&
      (detail.doneWhen === undefined || detail.doneWhen === other.detail.doneWhen)
    )
  })
}
