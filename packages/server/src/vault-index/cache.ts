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
  /** Drops a vault that is erased, also one that is just being loaded. */
  forget(vaultId: string): void
  /** Bytes of all indexes held. */
  readonly bytes: number
  /** Saves what changed since the last snapshots and wipes everything. */
  stop(): Promise<void>
}

interface Held {
  scope: IndexScope
  index: VaultIndex
  /** Loads and refreshes of one vault follow one another. */
  busy: Promise<unknown>
  /** As counted when it was last used. */
  bytes: number
  users: number
  isEvicted: boolean
  changesSinceSnapshot: number
}

/** A snapshot is written anew once so much has changed, as a share of the index's size and at least. */
const snapshotShare = 0.1
const snapshotMinChanges = 1_000
/** An index with vectors takes one of some 13,000 WebAssembly memories that a process can have. */
const maxVaults = 5_000
/** What an orderly stop may spend on snapshots. */
const stopBudgetMs = 2_000

interface Options {
  db: Database
  maxBytes: number
  log: Log
}

export function createVaultIndexes({ db, maxBytes, log }: Options): VaultIndexes {
  // In the order of their last use. Not lru-cache, which takes an entry's size only once: indexes grow while they are held.
  const held = new Map<string, Held>()
  const loading = new Map<string, Promise<Held>>()
  let totalBytes = 0
  let snapshots = Promise.resolve()

  async function hold(scope: IndexScope): Promise<Held> {
    const known = held.get(scope.id)
    if (known !== undefined) return known
    const underway = loading.get(scope.id) ?? load(scope)
    loading.set(scope.id, underway)
    return underway
  }

  async function load(scope: IndexScope): Promise<Held> {
    try {
      const index = await loadIndex(db.read, scope, log)
      const loaded: Held = {
        scope,
        index,
        busy: Promise.resolve(),
        bytes: 0,
        users: 0,
        isEvicted: false,
        changesSinceSnapshot: 0,
      }
      // Unless it was forgotten meanwhile.
      if (loading.has(scope.id)) keep(loaded)
      return loaded
    } finally {
      loading.delete(scope.id)
    }
  }

  /** Makes it the latest used, and room for what it has become: a single vault may be larger than the bound. */
  function keep(latest: Held): void {
    held.delete(latest.scope.id)
    held.set(latest.scope.id, latest)
    totalBytes += latest.index.bytes - latest.bytes
    latest.bytes = latest.index.bytes
    for (const oldest of held.values()) {
      if (oldest === latest || (totalBytes <= maxBytes && held.size <= maxVaults)) return
      drop(oldest)
    }
  }

  function drop(vault: Held): void {
    held.delete(vault.scope.id)
    totalBytes -= vault.bytes
    vault.isEvicted = true
    if (vault.users === 0) vault.index.wipe()
  }

  async function refresh(vault: Held, seq: number): Promise<void> {
    const turn = vault.busy.then(async () => {
      if (vault.index.seq >= seq) return
      vault.changesSinceSnapshot += await refreshIndex(db.read, { ...vault.scope, seq }, vault.index)
    })
    vault.busy = turn.catch(() => {})
    await turn
  }

  function scheduleSnapshot(vault: Held, share = snapshotShare): void {
    if (vault.changesSinceSnapshot < Math.max(snapshotMinChanges, vault.index.size * share)) return
    vault.changesSinceSnapshot = 0
    vault.users++
    snapshots = snapshots
      .then(() => saveSnapshot(db, vault))
      .catch((error: unknown) => log.warn('an index snapshot was not written', { vaultId: vault.scope.id, error }))
      .finally(() => release(vault))
  }

  return {
    get bytes() {
      return totalBytes
    },
    async read({ seq, ...scope }, work) {
      let vault = await hold(scope)
      // Others may have pushed it out while this call waited its turn.
      while (vault.isEvicted) vault = await hold(scope)
      vault.users++
      try {
        vault.scope = scope
        if (vault.index.seq < seq) await refresh(vault, seq)
        if (!vault.isEvicted) keep(vault)
        return work(vault.index)
      } finally {
        // Before it is released: an index that was evicted meanwhile is wiped then, and must not be saved empty.
        scheduleSnapshot(vault)
        release(vault)
      }
    },
    forget(vaultId) {
      loading.delete(vaultId)
      const vault = held.get(vaultId)
      if (vault !== undefined) drop(vault)
    },
    async stop() {
      // So that the next start has little to read back; what is not saved in time costs only time.
      const until = performance.now() + stopBudgetMs
      for (const vault of held.values()) {
        if (performance.now() > until) break
        scheduleSnapshot(vault, 0)
        await snapshots
      }
      await snapshots
      for (const vault of held.values()) drop(vault)
    },
  }
}

function release(vault: Held): void {
  vault.users--
  if (vault.isEvicted && vault.users === 0) vault.index.wipe()
}

async function saveSnapshot(db: Database, { index, scope }: Held): Promise<void> {
  const { seq } = index
  const segments = encodeSnapshot(index)
  const run = newSnapshotRun()
  for (const [segment, bytes] of segments.entries())
    await db.write((tx) => writeSegment(tx, scope, { seq, segment, segments: segments.length }, run, bytes))
  await db.write((tx) => deleteSnapshotsBefore(tx, scope, seq))
}
