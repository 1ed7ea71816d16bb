import type { VaultScope } from '../crypto/keys.ts'
import { setImmediate } from 'node:timers/promises'
import { CellError } from '../crypto/cell.ts'
import type { Log } from '../core/log.ts'
import type { Reader } from '../db/dialect.ts'
import { type IndexColumns, SnapshotError, decodeSnapshot } from './stored/snapshot.ts'
import { decodeEntry } from './stored/entry.ts'
import { inPieces } from '../core/in-pieces.ts'
import { buildParts } from './parts/parts.ts'
import { removalsSince, entriesSince, linksSince, type StoredEntry } from './stored/store.ts'
import { readSnapshot } from './stored/snapshot-store.ts'
import { VaultIndex, type IndexChange } from './vault-index.ts'

export interface LoadedIndex {
  index: VaultIndex
  /** Whether there is a snapshot that cannot be used: every start would meet it again. */
  hasBadSnapshot: boolean
}

/** An index as its vault's snapshot left it, or an empty one; `refresh` brings it up to date. */
export async function loadIndex(db: Reader, scope: VaultScope, log: Log): Promise<LoadedIndex> {
  try {
    const snapshot = await readSnapshot(db, scope)
    if (snapshot === undefined) return { index: new VaultIndex(), hasBadSnapshot: false }
    const columns = decodeSnapshot(snapshot.segments)
    for (const segment of snapshot.segments) segment.fill(0)
    return { index: await buildIndex(columns), hasBadSnapshot: false }
  } catch (error) {
    // A snapshot holds nothing that the entries do not: one that is damaged or of another format costs time only.
    if (!(error instanceof CellError || error instanceof SnapshotError)) throw error
    log.warn('an index snapshot was passed over', { vaultId: scope.id, error })
    return { index: new VaultIndex(), hasBadSnapshot: true }
  }
}

/** In pieces; the columns become the index's own. */
export async function buildIndex(columns: IndexColumns): Promise<VaultIndex> {
  const index = new VaultIndex(await inPieces(buildParts(columns)))
  index.seq = columns.seq
  return index
}

/**
 * Takes in what changed after the index's number, and counts it. Numbers become visible in the order in which they
 * commit, so that whoever sees an entry's number sees all before it; links and removals are read last and may be ahead, which does
 * no harm, as taking in a change twice is the same as once.
 */
export async function refreshIndex(
  db: Reader,
  scope: VaultScope & { seq: number },
  index: VaultIndex,
): Promise<number> {
  const known = index.seq
  let latest = scope.seq
  let count = 0
  for await (const page of entriesSince(db, scope, known)) {
    index.apply(page.map(asChange))
    count += page.length
    latest = Math.max(latest, page.at(-1)?.seq ?? 0)
    await setImmediate()
  }
  for await (const page of linksSince(db, scope, known)) {
    // In either order: a page has one state of a link.
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

export const asChange = ({
  itemId,
  entry,
  archived,
  seq: _seq,
  vectorsMissing: _missing,
  vectorModel: _model,
  ...facts
}: StoredEntry): IndexChange => ({
  itemId,
  facts: { ...facts, archived: archived === 1 },
  entry: decodeEntry(entry),
})
