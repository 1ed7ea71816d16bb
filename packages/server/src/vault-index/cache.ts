import { LRUCache } from 'lru-cache'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import { loadIndex, refreshIndex } from './load.ts'
import { encodeSnapshot } from './snapshot.ts'
import { deleteSnapshotsBefore, newSnapshotRun, writeSegment } from './snapshot-store.ts'
import type { IndexScope } from './store.ts'
import type { VaultIndex } from './vault-index.ts'

/**
 * The indexes of the vaults in use, together no larger than a given number of bytes; the longest unused goes first and
 * is wiped. A reader always sees the vault at least as it was when its own request read the vault's change number.
 */
export interface VaultIndexes {
  /** Calls `work` with the vault's index as of `vault.seq` or later. `work` is synchronous: the index may change after. */
  read<T>(vault: IndexScope & { seq: number }, work: (index: VaultIndex) => T): Promise<T>
  forget(vaultId: string): void
  /** Saves what changed since the last snapshots and wipes everything. */
  stop(): Promise<void>
}

interface Held {
  scope: IndexScope
  index: VaultIndex
  /** Loads and refreshes of one vault follow one another. */
  busy: Promise<unknown>
  users: number
  isEvicted: boolean
  changesSinceSnapshot: number
}

/** A snapshot is written anew once so much has changed, as a share of the index's size and at least. */
const snapshotShare = 0.1
const snapshotMinChanges = 1_000

interface Options {
  db: Database
  maxBytes: number
  log: Log
}

export function createVaultIndexes({ db, maxBytes, log }: Options): VaultIndexes {
  const cache = new LRUCache<string, Held>({
    maxSize: maxBytes,
    maxEntrySize: Number.MAX_SAFE_INTEGER,
    dispose: (held) => evict(held),
  })
  const loading = new Map<string, Promise<Held>>()
  let snapshots = Promise.resolve()

  async function hold(scope: IndexScope): Promise<Held> {
    const held = cache.get(scope.id)
    if (held !== undefined) return held
    const underway = loading.get(scope.id) ?? load(scope)
    loading.set(scope.id, underway)
    return underway
  }

  async function load(scope: IndexScope): Promise<Held> {
    try {
      const index = await loadIndex(db.read, scope, log)
      const held: Held = { scope, index, busy: Promise.resolve(), users: 0, isEvicted: false, changesSinceSnapshot: 0 }
      keep(held)
      return held
    } finally {
      loading.delete(scope.id)
    }
  }

  // Set anew after each change, since the cache takes an entry's size only then.
  const keep = (held: Held) =>
    void cache.set(held.scope.id, held, { size: Math.max(1, held.index.bytes), noDisposeOnSet: true })

  async function refresh(held: Held, seq: number): Promise<void> {
    const turn = held.busy.then(async () => {
      if (held.index.seq >= seq) return
      held.changesSinceSnapshot += await refreshIndex(db.read, { ...held.scope, seq }, held.index)
      if (!held.isEvicted) keep(held)
    })
    held.busy = turn.catch(() => {})
    await turn
  }

  function scheduleSnapshot(held: Held, share = snapshotShare): void {
    if (held.changesSinceSnapshot < Math.max(snapshotMinChanges, held.index.size * share)) return
    held.changesSinceSnapshot = 0
    held.users++
    snapshots = snapshots
      .then(() => saveSnapshot(db, held))
      .catch((error: unknown) => log.warn('an index snapshot was not written', { vaultId: held.scope.id, error }))
      .finally(() => release(held))
  }

  return {
    async read(vault, work) {
      let held = await hold(vault)
      // Others may have pushed it out while this call waited its turn.
      while (held.isEvicted) held = await hold(vault)
      held.users++
      try {
        held.scope = { id: vault.id, userId: vault.userId, keys: vault.keys }
        if (held.index.seq < vault.seq) await refresh(held, vault.seq)
        return work(held.index)
      } finally {
        // Before it is released: an index that was evicted meanwhile is wiped then, and must not be saved empty.
        scheduleSnapshot(held)
        release(held)
      }
    },
    forget: (vaultId) => void cache.delete(vaultId),
    async stop() {
      // So that the next start has little to read back.
      for (const held of cache.values()) scheduleSnapshot(held, 0)
      await snapshots
      cache.clear()
    },
  }
}

function evict(held: Held): void {
  held.isEvicted = true
  if (held.users === 0) held.index.wipe()
}

function release(held: Held): void {
  held.users--
  if (held.isEvicted && held.users === 0) held.index.wipe()
}

async function saveSnapshot(db: Database, { index, scope }: Held): Promise<void> {
  const { seq } = index
  const segments = encodeSnapshot(index)
  const run = newSnapshotRun()
  for (const [segment, bytes] of segments.entries())
    await db.write((tx) => writeSegment(tx, scope, { seq, segment, segments: segments.length }, run, bytes))
  await db.write((tx) => deleteSnapshotsBefore(tx, scope, seq))
}
