import type { VaultScope } from '../crypto/keys.ts'
import { setImmediate } from 'node:timers/promises'
import { CellError } from '../crypto/cell.ts'
import type { Log } from '../core/log.ts'
import type { Reader } from '../db/dialect.ts'
import { type IndexColumns, SnapshotError, decodeSnapshot } from './stored/snapshot.ts'
import { decodeEntry } from './stored/entry.ts'
import { inPieces, pauses } from '../core/in-pieces.ts'
import { buildParts } from './parts/parts.ts'
import { removalsSince, entriesSince, linksSince, type StoredEntry } from './stored/store.ts'
import { readSnapshot } from './stored/snapshot-store.ts'
import { VaultIndex, type IndexChange } from './vault-index.ts'

export interface LoadedIndex {
  index: VaultIndex
  /** Whether the stored snapshot is unusable and should be replaced, or every start would fail on it again. */
  hasBadSnapshot: boolean
}

/** The index from the vault's snapshot, or an empty one. `refreshIndex` brings it up to date. */
export async function loadIndex(db: Reader, scope: VaultScope, log: Log): Promise<LoadedIndex> {
  try {
    const snapshot = await readSnapshot(db, scope)
    if (snapshot === undefined) return { index: new VaultIndex(), hasBadSnapshot: false }
    const columns = decodeSnapshot(snapshot.segments)
    for (const segment of snapshot.segments) segment.fill(0)
    return { index: await buildIndex(columns), hasBadSnapshot: false }
  } catch (error) {
    // A snapshot contains nothing that the entries don't, so an unusable one only costs time.
    if (!(error instanceof CellError || error instanceof SnapshotError)) throw error
    log.warn('an index snapshot was passed over', { vaultId: scope.id, error })
    return { index: new VaultIndex(), hasBadSnapshot: true }
  }
}

/** In pieces. The index takes over the columns. */
export async function buildIndex(columns: IndexColumns): Promise<VaultIndex> {
  const index = new VaultIndex(await inPieces(buildParts(columns)))
  index.seq = columns.seq
  return index
}

/**
 * Applies the changes after the index's change number, and returns how many. Change numbers become visible in commit order, so a reader
 * that sees an entry's number sees all before it. Links and removals are read last and may be ahead, which is harmless because applying
 * a change twice has no effect.
 */
export async function refreshIndex(
  db: Reader,
  scope: VaultScope & { seq: number },
  index: VaultIndex,
): Promise<number> {
  const known = index.seq
  let latest = scope.seq
  let count = 0
  const pause = pauses()
  for await (const page of entriesSince(db, scope, known)) {
    for (const part of partsOf(page)) {
      index.apply(part.map(asChange))
      await pause()
    }
    count += page.length
    latest = Math.max(latest, page.at(-1)?.seq ?? 0)
    await setImmediate()
  }
  for await (const page of linksSince(db, scope, known)) {
    // Order doesn't matter: a page contains one state of each link.
    index.addLinks(page.filter(({ removedAt }) => removedAt === null))
    index.removeLinks(page.filter(({ removedAt }) => removedAt !== null))
    count += page.length
    await setImmediate()
  }
  for await (const page of removalsSince(db, scope, known)) {
    index.apply(page.map(({ itemId }) => ({ itemId, removed: true })))
    count += page.length
  }
  index.seq = latest
  if (index.parts.words.hasLongTail) await inPieces(index.parts.words.invert())
  return count
}

/** So many bytes of entries are applied without a pause, in about 2 ms. A text of 100 kB has an entry of 47 kB, and its vectors. */
const partBytes = 2 ** 16

/** A page of entries in parts, between which others get their turn. */
export function* partsOf(page: readonly StoredEntry[]): Generator<StoredEntry[]> {
  let part: StoredEntry[] = []
  let bytes = 0
  for (const stored of page) {
    part.push(stored)
    bytes += stored.entry?.length ?? 0
    if (bytes < partBytes) continue
    yield part
    part = []
    bytes = 0
  }
  if (part.length > 0) yield part
}

export const asChange = ({
  itemId,
  entry,
  archived,
  seq: _seq,
  vectorsMissing: _missing,
  vectorModel: _model,
  ...facts
}: StoredEntry): IndexChange =>
  entry === undefined
    ? { itemId, damaged: true }
    : { itemId, facts: { ...facts, archived: archived === 1 }, entry: decodeEntry(entry) }
