import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { eachDialect } from '../../test/dialects.ts'
import { insertVaultRow, openTestDatabase } from '../../test/database.ts'
import { createLog } from '../core/log.ts'
import { newId } from '../core/ids.ts'
import { wordTags } from '../crypto/hash.ts'
import { createRandomKey, scopeKeys, tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Database } from '../db/dialect.ts'
import { insertLink, removeLinks } from '../links/store.ts'
import { createVaultIndexes } from './cache.ts'
import { encodeEntry } from './stored/entry.ts'
import { keyEntry } from './index-record.ts'
import { loadIndex } from './load.ts'
import { newSnapshotRun, readSnapshot, writeSegment } from './stored/snapshot-store.ts'
import { insertEntry, updateEntry } from './stored/store.ts'
import type { VaultIndex } from './vault-index.ts'

const log = createLog('silent')
const plenty = 100_000_000

type Vault = VaultScope & { seq: number }

function newVault(): Vault {
  const id = newId()
  return { id, userId: newId(), seq: 0, keys: scopeKeys(id, [{ generation: 1, key: createRandomKey() }]) }
}

const keyText = (vault: Vault, text: string) => {
  const header = { occurredAt: vault.seq, entities: [], tags: [] }
  return encodeEntry(keyEntry({ text, header }, (words) => wordTags(tagKeys(vault.keys).words, words)))
}

/** Adds records that no index has read yet, and returns their ids. */
async function add(db: Database, vault: Vault, count: number, sharedEntry?: Uint8Array): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  await db.write(async (tx) => {
    for (const itemId of ids) {
      vault.seq++
      const entry = sharedEntry ?? keyText(vault, `record ${vault.seq}`)
      const facts = { kind: 'memory', type: 'fact', importance: 3, archived: 0, createdAt: 1, occurredAt: vault.seq }
      await insertEntry(tx, vault, vault.seq, {
        itemId,
        facts: { ...facts, expiresAt: null, supersededAt: null, vectorsMissing: 1, vectorModel: null },
        entry,
      })
    }
  })
  return ids
}

/** How often the event loop turns until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  const ended = work.then(() => true)
  const isOver = () => Promise.race([ended, nextTurn(false)])
  while (!(await isOver())) turns++
  return turns
}

eachDialect('vault indexes', (dialect) => {
  it('include each change that was made before the request', async () => {
    const db = await openTestDatabase(dialect)
    const indexes = createVaultIndexes({ db, maxBytes: plenty, log })
    const vault = newVault()
    for (let size = 1; size <= 3; size++) {
      await add(db, vault, 1)
      expect(await indexes.read(vault, (index) => index.size)).toBe(size)
    }
    await indexes.stop()
    await db.close()
  })

  it('load a vault once for all concurrent callers', async () => {
    const db = await openTestDatabase(dialect)
    const indexes = createVaultIndexes({ db, maxBytes: plenty, log })
    const vault = newVault()
    await add(db, vault, 20)
    const seen = await Promise.all(Array.from({ length: 10 }, () => indexes.read(vault, (index) => index)))
    expect(new Set(seen).size).toBe(1)
    expect(seen[0]?.size).toBe(20)
    await indexes.stop()
    await db.close()
  })

  it('let others work while they apply long records', async () => {
    const db = await openTestDatabase(dialect)
    const indexes = createVaultIndexes({ db, maxBytes: plenty, log })
    const vault = newVault()
    const text = Array.from({ length: 30_000 }, (_, at) => `${at.toString(36)}ing`).join(' ')
    await add(db, vault, 150, keyText(vault, text))
    expect(await turnsDuring(indexes.read(vault, (index) => index.size))).toBeGreaterThan(20)
    await indexes.stop()
    await db.close()
  })

  it('answer in full if memory holds only one vault, and save no wiped index', async () => {
    const db = await openTestDatabase(dialect)
    const indexes = createVaultIndexes({ db, maxBytes: 1, log })
    const vaults = [newVault(), newVault(), newVault()]
    for (const vault of vaults) await add(db, vault, 1_100)
    for (let round = 0; round < 3; round++) {
      const sizes = await Promise.all(vaults.map((vault) => indexes.read(vault, (index) => index.size)))
      expect(sizes).toEqual([1_100, 1_100, 1_100])
    }
    await indexes.stop()
    const fresh = createVaultIndexes({ db, maxBytes: plenty, log })
    for (const vault of vaults) expect(await fresh.read(vault, (index) => index.size)).toBe(1_100)
    await fresh.stop()
    await db.close()
  })

  it('count the memory they use as it grows, and stay under the limit', async () => {
    const db = await openTestDatabase(dialect)
    const vaults = [newVault(), newVault()]
    const probe = createVaultIndexes({ db, maxBytes: plenty, log })
    const [first, second] = vaults
    if (first === undefined || second === undefined) throw new RangeError('two vaults')
    await probe.read(first, () => {})
    const empty = probe.bytes
    await add(db, first, 500)
    await probe.read(first, () => {})
    const one = probe.bytes
    expect(one).toBeGreaterThan(empty + 500 * 8)
    await add(db, second, 500)
    await probe.read(second, () => {})
    expect(probe.bytes).toBeGreaterThan(one * 1.5)
    const bounded = createVaultIndexes({ db, maxBytes: one * 1.2, log })
    for (const vault of [...vaults, ...vaults]) await bounded.read(vault, () => {})
    expect(bounded.bytes).toBeLessThanOrEqual(one * 1.2)
    for (const indexes of [probe, bounded]) await indexes.stop()
    expect(probe.bytes + bounded.bytes).toBe(0)
    await db.close()
  })

  it('save a snapshot when they stop, so the next start reads little else', async () => {
    const db = await openTestDatabase(dialect)
    const vault = newVault()
    await insertVaultRow(db, vault)
    await add(db, vault, 1_100)
    const first = createVaultIndexes({ db, maxBytes: plenty, log })
    await first.read(vault, () => {})
    await first.stop()
    expect((await readSnapshot(db.read, vault))?.seq).toBe(vault.seq)
    await add(db, vault, 5)
    const second = createVaultIndexes({ db, maxBytes: plenty, log })
    expect(await second.read(vault, (index) => index.size)).toBe(1_105)
    await second.stop()
    await db.close()
  })

  it('give up a snapshot that takes longer than a stop may', async () => {
    const db = await openTestDatabase(dialect)
    const vault = newVault()
    await insertVaultRow(db, vault)
    const long = keyText(vault, Array.from({ length: 1_500 }, (_, n) => `word${n}`).join(' '))
    await add(db, vault, 1_100, long)
    let nowMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    onTestFinished(() => void vi.restoreAllMocks())
    const slow: Database = {
      ...db,
      write: async (work) => {
        const written = await db.write(work)
        nowMs += 1_500
        return written
      },
    }
    const indexes = createVaultIndexes({ db: slow, maxBytes: plenty, log })
    expect(await indexes.read(vault, (index) => index.size)).toBe(1_100)
    await indexes.stop()
    const segments = await db.read.selectFrom('indexSnapshots').select(['segment', 'segments']).execute()
    expect(segments[0]?.segments).toBeGreaterThan(2)
    expect(segments).toHaveLength(2)
    expect(await readSnapshot(db.read, vault)).toBeUndefined()
    await db.close()
  })

  it('save no snapshot under a key that was replaced, without a warning', async () => {
    const db = await openTestDatabase(dialect)
    const vault = newVault()
    await insertVaultRow(db, vault)
    await add(db, vault, 1_100)
    const warnings: string[] = []
    const warn = (message: string) => void warnings.push(message)
    const indexes = createVaultIndexes({ db, maxBytes: plenty, log: { ...log, warn } })
    await db.write((tx) => tx.updateTable('vaults').set({ minGeneration: 2 }).execute())
    await indexes.read(vault, () => {})
    await indexes.stop()
    expect([warnings, await readSnapshot(db.read, vault)]).toEqual([[], undefined])
    await db.close()
  })

  it('overwrite an unreadable snapshot, however small, so the next start can read it', async () => {
    const db = await openTestDatabase(dialect)
    const vault = newVault()
    await insertVaultRow(db, vault)
    await add(db, vault, 20)
    // As two processes leave it that write at the same time.
    for (const segment of [0, 1])
      await db.write((tx) =>
        writeSegment(
          tx,
          vault,
          { seq: vault.seq, segment, segments: 2 },
          { run: newSnapshotRun(), bytes: Buffer.from('index') },
        ),
      )
    const indexes = createVaultIndexes({ db, maxBytes: plenty, log })
    expect(await indexes.read(vault, (index) => index.size)).toBe(20)
    await indexes.stop()
    const { index, hasBadSnapshot } = await loadIndex(db.read, vault, log)
    expect([index.size, index.seq, hasBadSnapshot]).toEqual([20, vault.seq, false])
    await db.close()
  })

  it('are packed once many entries are dead, and miss no concurrent changes', async () => {
    const db = await openTestDatabase(dialect)
    const vault = newVault()
    await insertVaultRow(db, vault)
    const ids = await add(db, vault, 400)
    const indexes = createVaultIndexes({ db, maxBytes: plenty, log })
    const worn = await indexes.read(vault, (index) => index)
    const touch = (itemId: string, importance: number) =>
      db.write((tx) => updateEntry(tx, vault, ++vault.seq, { itemId, facts: { importance } }))
    for (const itemId of ids) await touch(itemId, 4)
    expect(await indexes.read(vault, (index) => [index.size, index.deadSlots])).toEqual([400, 400])
    // It is being packed now.
    for (const itemId of ids.slice(0, 5)) await touch(itemId, 5)
    await add(db, vault, 5)
    await indexes.save(vault)
    const renewed = await indexes.read(vault, (index) => index)
    const importances = ids.map((id) => renewed.parts.facts.arrays.importances[renewed.slotOf(id)])
    expect([renewed.size, renewed.deadSlots < 10]).toEqual([405, true])
    expect(importances).toEqual(ids.map((_, i) => (i < 5 ? 5 : 4)))
    expect([renewed === worn, worn.size, indexes.bytes]).toEqual([false, 0, renewed.bytes])
    await indexes.stop()
    await db.close()
  })

  it('build postings of new words once walking these has cost as much, and again after many more walks', async () => {
    const db = await openTestDatabase(dialect)
    const indexes = createVaultIndexes({ db, maxBytes: plenty, log })
    const vault = newVault()
    await insertVaultRow(db, vault)
    const builtAfter = async (walks: number) => {
      for (let walk = 0; walk < walks; walk++) await indexes.read(vault, (index) => index.parts.words.countWalk())
      // Waits for the work that the reads have queued.
      await indexes.save(vault)
      return indexes.read(vault, (index) => index.parts.words.builtSlots)
    }
    await add(db, vault, 100)
    expect([await builtAfter(8), await builtAfter(1)]).toEqual([0, 100])
    await add(db, vault, 10)
    // Each walk reads an eleventh of the words.
    expect([await builtAfter(88), await builtAfter(1)]).toEqual([100, 110])
    await indexes.stop()
    await db.close()
  })

  it('build no postings of a vault that is forgotten before', async () => {
    const db = await openTestDatabase(dialect)
    const indexes = createVaultIndexes({ db, maxBytes: plenty, log })
    const vault = newVault()
    await insertVaultRow(db, vault)
    await add(db, vault, 100)
    const index = await indexes.read(vault, (read) => {
      for (let walk = 0; walk < 9; walk++) read.parts.words.countWalk()
      indexes.forget(vault.id)
      return read
    })
    await nextTurn()
    expect([index.size, index.parts.words.builtSlots]).toEqual([0, 0])
    await indexes.stop()
    await db.close()
  })

  it('see links that were removed and created again, by other servers and in snapshots too', async () => {
    const db = await openTestDatabase(dialect)
    const vault = newVault()
    await insertVaultRow(db, vault)
    const [own, other] = [1, 2].map(() => createVaultIndexes({ db, maxBytes: plenty, log }))
    if (own === undefined || other === undefined) throw new RangeError('two servers')
    const ends = { sourceType: 'memory', targetType: 'memory', relationType: 'refines', origin: 'agent' } as const
    const link = { ...ends, sourceId: newId(), targetId: newId() }
    const insert = () => db.write((tx) => insertLink(tx, vault, { seq: ++vault.seq, at: 1 }, link))
    const count = (index: VaultIndex) => index.parts.links.triples().length / 3
    const expectLinks = async (expected: number) => {
      for (const indexes of [own, other]) expect(await indexes.read(vault, count)).toBe(expected)
      const late = createVaultIndexes({ db, maxBytes: plenty, log })
      expect(await late.read(vault, count)).toBe(expected)
      await late.stop()
    }
    const { linkId } = await insert()
    await expectLinks(1)
    await own.save(vault)
    await db.write((tx) => removeLinks(tx, vault, { seq: ++vault.seq, at: 1 }, [linkId]))
    await expectLinks(0)
    await other.save(vault)
    await insert()
    await expectLinks(1)
    for (const indexes of [own, other]) await indexes.stop()
    await db.close()
  })

  it('forget a vault when told to', async () => {
    const db = await openTestDatabase(dialect)
    const indexes = createVaultIndexes({ db, maxBytes: plenty, log })
    const vault = newVault()
    await add(db, vault, 3)
    const before = await indexes.read(vault, (index) => index)
    indexes.forget(vault.id)
    expect(before.size).toBe(0)
    expect(await indexes.read(vault, (index) => index.size)).toBe(3)
    await indexes.stop()
    await db.close()
  })

  it('contain nothing of an erased vault, even if it is erased during a load', async () => {
    const db = await openTestDatabase(dialect)
    const indexes = createVaultIndexes({ db, maxBytes: plenty, log })
    const vault = newVault()
    await add(db, vault, 3)
    const seen: VaultIndex[] = []
    const read = () =>
      indexes.read(vault, (index) => {
        seen.push(index)
        return index.size
      })
    const early = [read(), read()]
    indexes.forget(vault.id)
    const late = read()
    expect(await Promise.all([...early, late])).toEqual([3, 3, 3])
    expect(indexes.bytes).toBe(0)
    expect(await read()).toBe(3)
    expect([indexes.bytes, ...seen.map((index) => index.size)]).toEqual([0, 0, 0, 0, 0])
    await indexes.stop()
    expect(indexes.bytes).toBe(0)
    await db.close()
  })
})
