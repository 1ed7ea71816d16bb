import type { VaultScope } from '../crypto/keys.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import { wipeColumns, encodeSnapshot } from './stored/snapshot.ts'
import { inBackground, inPieces, runThenPause } from '../core/in-pieces.ts'
import { buildIndex, loadIndex, refreshIndex } from './load.ts'
import { packIndex } from './pack-index.ts'
import { deleteSegmentBefore, newSnapshotRun, writeSegment } from './stored/snapshot-store.ts'
import { maySeal } from './stored/store.ts'
import type { VaultIndex } from './vault-index.ts'

/**
 * Keeps the indexes of vaults in use, up to a total size. The least recently used index is evicted and wiped first. A reader sees the
 * vault at least as of the change number that its request has read.
 */
export interface VaultIndexes {
  /**
   * Calls `work` with the vault's index as of `vault.seq` or later. `work` must be synchronous, because the index may change afterwards.
   * `beforeWork` is awaited once the index is loaded and up to date.
   */
  read<T>(
    vault: VaultScope & { seq: number },
    work: (index: VaultIndex) => T,
    beforeWork?: () => Promise<void>,
  ): Promise<T>
  /** Brings the vault's index up to date and saves a snapshot, even after a small change. */
  save(vault: VaultScope & { seq: number }): Promise<void>
  /** Drops an erased vault. Reads in progress and later reads get an index that is wiped after use. */
  forget(vaultId: string): void
  /** Total bytes of the indexes in memory. */
  readonly bytes: number
  /** How many are in memory, and how often one was read, loaded and evicted since the start. */
  readonly counts: { open: number; reads: number; loads: number; evictions: number }
  /** Saves changes since the last snapshots and wipes all indexes. */
  stop(): Promise<void>
}

interface Held {
  scope: VaultScope
  index: VaultIndex
  /** Loads and refreshes of a vault run one at a time. */
  busy: Promise<unknown>
  /** Its size when it was last used. */
  bytes: number
  users: number
  isEvicted: boolean
  isRenewing: boolean
  isInverting: boolean
  changesSinceSnapshot: number
  /** The change number of the stored snapshot; 0 without one. */
  snapshotSeq: number
}

/** A snapshot is written after this many changes: a share of the index's size, but at least the minimum. */
const snapshotShare = 0.1
const snapshotMinChanges = 1_000
/** An index with vectors uses one of about 13,000 WebAssembly memories that a process can have. */
const maxVaults = 5_000
/** Time that a graceful stop may spend on snapshots. */
const stopBudgetMs = 2_000

interface Options {
  db: Database
  maxBytes: number
  log: Log
}

export const createVaultIndexes = (options: Options): VaultIndexes => new VaultIndexCache(options)

class VaultIndexCache implements VaultIndexes {
  readonly #db: Database
  readonly #maxBytes: number
  readonly #log: Log
  // In order of last use. Not lru-cache, because that takes an entry's size only once, and indexes grow.
  readonly #held = new Map<string, Held>()
  readonly #loading = new Map<string, Promise<Held>>()
  /** Ids are never reused. */
  readonly #erased = new Set<string>()
  #bytes = 0
  #reads = 0
  #loads = 0
  #evictions = 0
  /** The queue of snapshots and renewals. */
  #tending = Promise.resolve()
  /** Aborted when the process stops. */
  readonly #stopping = new AbortController()
  /** When a stopping process gives up snapshots, even one that it has begun. */
  #stopAt = Infinity

  constructor({ db, maxBytes, log }: Options) {
    this.#db = db
    this.#maxBytes = maxBytes
    this.#log = log
  }

  get bytes(): number {
    return this.#bytes
  }

  get counts(): VaultIndexes['counts'] {
    return { open: this.#held.size, reads: this.#reads, loads: this.#loads, evictions: this.#evictions }
  }

  async read<T>(
    { seq, ...scope }: VaultScope & { seq: number },
    work: (index: VaultIndex) => T,
    beforeWork?: () => Promise<void>,
  ): Promise<T> {
    this.#reads++
    let vault = await this.#hold(scope)
    // It may have been evicted while this call waited.
    while (vault.isEvicted) vault = await this.#hold(scope)
    vault.users++
    try {
      vault.scope = scope
      if (vault.index.seq < seq) await this.#refresh(vault, seq)
      if (!vault.isEvicted) this.#keep(vault)
      if (beforeWork !== undefined) await beforeWork()
      return work(vault.index)
    } finally {
      // Before the release, which wipes an evicted index: an empty index must not be saved.
      this.#scheduleSnapshot(vault, snapshotShare)
      this.#scheduleRenewal(vault)
      this.#scheduleInversion(vault)
      release(vault)
    }
  }

  async save(vault: VaultScope & { seq: number }): Promise<void> {
    await this.read(vault, () => {})
    const held = this.#held.get(vault.id)
    // Compare change numbers, because some changes don't touch the index; otherwise the vault would always be due.
    if (held !== undefined && held.index.seq > held.snapshotSeq) this.#queueSnapshot(held)
    await this.#tending
  }

  forget(vaultId: string): void {
    this.#erased.add(vaultId)
    const vault = this.#held.get(vaultId)
    if (vault !== undefined) this.#drop(vault)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    // Snapshots make the next start faster. What isn't saved in time is only read again.
    this.#stopAt = performance.now() + stopBudgetMs
    for (const vault of this.#held.values()) {
      if (this.#isOver()) break
      this.#scheduleSnapshot(vault, 0)
      await this.#tending
    }
    await this.#tending
    for (const vault of this.#held.values()) this.#drop(vault)
  }

  #isOver = () => performance.now() > this.#stopAt

  async #hold(scope: VaultScope): Promise<Held> {
    return this.#held.get(scope.id) ?? this.#loading.get(scope.id) ?? this.#startLoading(scope)
  }

  #startLoading(scope: VaultScope): Promise<Held> {
    const loading = loadIndex(this.#db.read, scope, this.#log)
      .then(({ index, hasBadSnapshot }) => {
        // Replace a bad snapshot soon, regardless of the number of changes.
        const changesSinceSnapshot = hasBadSnapshot ? Infinity : 0
        const state = { busy: Promise.resolve(), bytes: 0, users: 0, changesSinceSnapshot }
        const idle = { isEvicted: false, isRenewing: false, isInverting: false }
        const loaded: Held = { scope, index, ...state, ...idle, snapshotSeq: index.seq }
        if (!this.#erased.has(scope.id)) this.#keep(loaded)
        return loaded
      })
      .finally(() => this.#loading.delete(scope.id))
    this.#loads++
    this.#loading.set(scope.id, loading)
    return loading
  }

  async #refresh(vault: Held, seq: number): Promise<void> {
    await this.#inTurn(vault, async () => {
      if (vault.index.seq >= seq) return
      const known = new Set(vault.index.damaged)
      vault.changesSinceSnapshot += await refreshIndex(this.#db.read, { ...vault.scope, seq }, vault.index)
      for (const recordId of vault.index.damaged)
        if (!known.has(recordId))
          this.#log.error('an index entry is damaged, so searches don’t find its record until it is changed', {
            userId: vault.scope.userId,
            vaultId: vault.scope.id,
            recordId,
          })
    })
  }

  async #inTurn(vault: Held, work: () => Promise<void>): Promise<void> {
    const turn = vault.busy.then(work)
    vault.busy = turn.catch(() => {})
    await turn
  }

  /** Marks it as used last and evicts others until the total fits. A single vault may be larger than the limit. */
  #keep(latest: Held): void {
    // The last user wipes it.
    if (this.#erased.has(latest.scope.id)) return this.#drop(latest)
    this.#held.delete(latest.scope.id)
    this.#held.set(latest.scope.id, latest)
    this.#bytes += latest.index.bytes - latest.bytes
    latest.bytes = latest.index.bytes
    for (const oldest of this.#held.values()) {
      if (oldest === latest || (this.#bytes <= this.#maxBytes && this.#held.size <= maxVaults)) return
      this.#drop(oldest)
      this.#evictions++
    }
  }

  #drop(vault: Held): void {
    this.#held.delete(vault.scope.id)
    this.#bytes -= vault.bytes
    vault.isEvicted = true
    if (vault.users === 0) vault.index.wipe()
  }

  #scheduleSnapshot(vault: Held, share: number): void {
    if (vault.changesSinceSnapshot >= Math.max(snapshotMinChanges, vault.index.size * share)) this.#queueSnapshot(vault)
  }

  #queueSnapshot(vault: Held): void {
    vault.changesSinceSnapshot = 0
    this.#queue(vault, 'an index snapshot was not written', () =>
      saveSnapshot(this.#db, vault, { stopping: this.#stopping.signal, isOver: () => this.#isOver() }),
    )
  }

  /** Queues work on a whole index; one runs at a time. */
  #queue(vault: Held, failure: string, work: () => Promise<void>): void {
    vault.users++
    this.#tending = this.#tending
      .then(work)
      .catch((error: unknown) => this.#log.warn(failure, { vaultId: vault.scope.id, error }))
      .finally(() => release(vault))
  }

  #scheduleRenewal(vault: Held): void {
    if (!vault.index.needsRepacking || vault.isRenewing) return
    vault.isRenewing = true
    this.#queue(vault, 'an index was not packed', () =>
      this.#renew(vault).finally(() => {
        vault.isRenewing = false
      }),
    )
  }

  /** Not in the vault's turn: changes don't have to wait for it. */
  #scheduleInversion(vault: Held): void {
    if (!vault.index.parts.words.isWorthInverting || vault.isInverting) return
    vault.isInverting = true
    const isNeeded = () =>
      !vault.isEvicted && !this.#stopping.signal.aborted && vault.index.parts.words.isWorthInverting
    const invert = async () => {
      if (isNeeded()) await inPieces(vault.index.parts.words.invert())
    }
    this.#queue(vault, 'the words of an index were not inverted', () =>
      invert().finally(() => {
        vault.isInverting = false
      }),
    )
  }

  /**
   * Builds a packed copy in pieces, while the old index still answers. Then applies the changes since, and replaces the old index.
   */
  async #renew(vault: Held): Promise<void> {
    const renewed = await buildIndex(await inPieces(packIndex(vault.index)))
    await this.#inTurn(vault, async () => {
      const worn = vault.index
      for (const itemId of worn.damaged) renewed.damaged.add(itemId)
      await refreshIndex(this.#db.read, { ...vault.scope, seq: worn.seq }, renewed)
      vault.index = renewed
      worn.wipe()
      if (!vault.isEvicted) this.#keep(vault)
    })
  }
}

function release(vault: Held): void {
  vault.users--
  if (vault.isEvicted && vault.users === 0) vault.index.wipe()
}

/**
 * Packs the index in pieces and writes it segment by segment, with pauses: all at once, 100,000 memories took 0.5 s. Changes in the
 * meantime have higher change numbers and are read again later. Gives up between two segments once `isOver`: readers ignore a part.
 */
async function saveSnapshot(
  db: Database,
  held: Held,
  { stopping, isOver }: { stopping: AbortSignal; isOver: () => boolean },
): Promise<void> {
  const { index, scope } = held
  // A snapshot doesn't say which items are missing. Without one, the next load reads all entries, and reports these again.
  if (index.damaged.size > 0) return
  // Nobody has read it since the vault's key was replaced. The next call brings the new one.
  if (!(await maySeal(db.read, scope))) return
  const columns = await inBackground(packIndex(index), stopping)
  try {
    const { seq } = columns
    const { count, segments } = encodeSnapshot(columns)
    const run = newSnapshotRun()
    let segment = 0
    for (const bytes of segments) {
      const place = { seq, segment: segment++, segments: count }
      const write = () => db.write((tx) => writeSegment(tx, scope, place, { run, bytes }))
      if (isOver() || !(await runThenPause(write, stopping))) return
    }
    held.snapshotSeq = seq
    while (!isOver() && (await runThenPause(() => db.write((tx) => deleteSegmentBefore(tx, scope, seq)), stopping)));
  } finally {
    wipeColumns(columns)
  }
}
