import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openStore, openTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { createLog } from '../core/log.ts'
import { asSealed } from '../crypto/cell.ts'
import type { Database } from '../db/dialect.ts'
import { createLastUsed, type UseWriter } from './last-used.ts'
import { markCredentialsUsed, markKeysUsed } from '../auth/store.ts'

let dir = ''
let db: Database
const lines: string[] = []
const log = createLog('debug', { write: (line) => void lines.push(line) })
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-used-'))
  db = await openStore({ kind: 'sqlite', dir })
  lines.length = 0
})
afterEach(async () => {
  vi.useRealTimers()
  await db.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Records what was written to each table. */
function recorders() {
  const written: unknown[] = []
  const recorder =
    (table: string): UseWriter =>
    async (_db, used) => {
      for (const { userId, vaultId, id, at, count } of used)
        written.push([table, { userId, ...(vaultId !== undefined && { vaultId }) }, id, { at, count }])
      return undefined
    }
  const writers = {
    agentKeys: recorder('agentKeys'),
    dashboardCredentials: recorder('dashboardCredentials'),
    memories: recorder('memories'),
  }
  return { written, writers }
}

describe('createLastUsed', () => {
  it('writes each row once, with its latest time and how often it was used', async () => {
    const { written, writers } = recorders()
    const lastUsed = createLastUsed(db, writers, log)
    lastUsed.record('agentKeys', 'k', { userId: 'u' }, 1)
    lastUsed.record('agentKeys', 'k', { userId: 'u' }, 5)
    lastUsed.record('memories', 'm', { userId: 'u', vaultId: 'v' }, 3)
    await lastUsed.flush()
    expect(written).toEqual([
      ['agentKeys', { userId: 'u' }, 'k', { at: 5, count: 2 }],
      ['memories', { userId: 'u', vaultId: 'v' }, 'm', { at: 3, count: 1 }],
    ])
    await lastUsed.stop()
    expect(written).toHaveLength(2)
  })

  it("writes only a user's rows of a table if asked to", async () => {
    const { written, writers } = recorders()
    const lastUsed = createLastUsed(db, writers, log)
    lastUsed.record('agentKeys', 'k', { userId: 'u' }, 1)
    lastUsed.record('agentKeys', 'l', { userId: 'v' }, 1)
    lastUsed.record('memories', 'm', { userId: 'u', vaultId: 'w' }, 1)
    await lastUsed.flush({ table: 'agentKeys', userId: 'u' })
    expect(written).toEqual([['agentKeys', { userId: 'u' }, 'k', { at: 1, count: 1 }]])
    await lastUsed.stop()
    expect(written).toHaveLength(3)
  })

  it('keeps the latest time if uses are recorded out of order', async () => {
    const { written, writers } = recorders()
    const lastUsed = createLastUsed(db, writers, log)
    lastUsed.record('agentKeys', 'k', { userId: 'u' }, 5)
    lastUsed.record('agentKeys', 'k', { userId: 'u' }, 4)
    await lastUsed.stop()
    expect(written).toEqual([['agentKeys', { userId: 'u' }, 'k', { at: 5, count: 2 }]])
  })

  it('writes every minute by itself, and the rest when it stops', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { written, writers } = recorders()
    const lastUsed = createLastUsed(db, writers, log)
    lastUsed.record('agentKeys', 'k', { userId: 'u' }, 1)
    vi.advanceTimersByTime(59_999)
    await db.write(async () => {})
    expect(written).toHaveLength(0)
    vi.advanceTimersByTime(1)
    await db.write(async () => {})
    expect(written).toHaveLength(1)
    lastUsed.record('agentKeys', 'k', { userId: 'u' }, 2)
    await lastUsed.stop()
    expect(written).toHaveLength(2)
    vi.advanceTimersByTime(120_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('writes large batches in pieces, in the order of their ids, and keeps a piece that could not be written for the next time', async () => {
    const { written, writers } = recorders()
    let failures = 1
    const failing: UseWriter = async (store, used) => {
      if (used.some(({ id }) => id === 'm250') && failures-- > 0) throw new Error('planted')
      return writers.memories(store, used)
    }
    const lastUsed = createLastUsed(db, { ...writers, memories: failing }, log)
    const ids = Array.from({ length: 300 }, (_, n) => `m${100 + n}`)
    for (const id of ids.toReversed()) lastUsed.record('memories', id, { userId: 'u', vaultId: 'v' }, 1)
    await lastUsed.flush()
    expect(lines.join()).toContain('last-used times were not written')
    const idsWritten = () => written.map((row) => (row as unknown[])[2])
    expect(idsWritten()).toEqual(ids.slice(200))
    await lastUsed.flush()
    expect(idsWritten()).toEqual([...ids.slice(200), ...ids.slice(0, 200)])
    await lastUsed.stop()
  })

  it('leaves time to others between pieces when it writes by itself, and a flush writes the rest once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const pieceMs = 20
    const { written, writers } = recorders()
    const slow: UseWriter = async (store, used) => {
      await setTimeout(pieceMs)
      return writers.memories(store, used)
    }
    const lastUsed = createLastUsed(db, { ...writers, memories: slow }, log)
    const ids = Array.from({ length: 700 }, (_, n) => `m${100 + n}`)
    for (const id of ids) lastUsed.record('memories', id, { userId: 'u', vaultId: 'v' }, 1)
    const began = performance.now()
    vi.advanceTimersByTime(60_000)
    // Before its piece is written, so it is written with it.
    lastUsed.record('memories', 'm799', { userId: 'u', vaultId: 'v' }, 2)
    await expect.poll(() => written.length, { interval: 1 }).toBeGreaterThanOrEqual(400)
    expect(performance.now() - began).toBeGreaterThan(4 * pieceMs)
    await lastUsed.flush()
    expect(written.map((row) => (row as unknown[])[2])).toEqual(ids)
    expect(written.at(-1)).toMatchObject(['memories', {}, 'm799', { at: 2, count: 2 }])
    await lastUsed.stop()
    expect(written).toHaveLength(ids.length)
  })

  it('does not pause after a failure, and tries again at the next time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { written, writers } = recorders()
    let tries = 0
    const failing: UseWriter = async (store, used) => {
      if (tries++ === 0) throw Object.assign(new Error('planted'), { code: 'SQLITE_FULL' })
      return writers.memories(store, used)
    }
    const lastUsed = createLastUsed(db, { ...writers, memories: failing }, log)
    for (const id of ['m1', 'm2']) lastUsed.record('memories', id, { userId: 'u', vaultId: 'v' }, 1)
    vi.advanceTimersByTime(60_000)
    await expect.poll(() => tries, { interval: 1 }).toBe(1)
    await nextTurn()
    vi.advanceTimersByTime(60_000)
    await expect.poll(() => written.length, { interval: 1 }).toBe(2)
    await lastUsed.stop()
    expect([tries, written.length]).toEqual([2, 2])
  })

  it('tries no other piece if the store itself fails', async () => {
    let tries = 0
    const failing: UseWriter = async () => {
      tries++
      throw Object.assign(new Error('planted'), { code: 'SQLITE_FULL' })
    }
    const { written, writers } = recorders()
    const lastUsed = createLastUsed(db, { ...writers, memories: failing }, log)
    for (let n = 0; n < 500; n++) lastUsed.record('memories', `m${n}`, { userId: 'u', vaultId: 'v' }, 1)
    await lastUsed.flush()
    expect([tries, written]).toEqual([1, []])
    await lastUsed.stop()
    expect([tries, written]).toEqual([2, []])
  })

  it('tries rows again that a writer left, with what was added since', async () => {
    const { written, writers } = recorders()
    let failures = 1
    const partly: UseWriter = async (store, used) => {
      if (failures-- <= 0) return writers.memories(store, used)
      lastUsed.record('memories', 'm1', { userId: 'u', vaultId: 'v' }, 7)
      return { rows: used.slice(1), error: new Error('planted') }
    }
    const lastUsed = createLastUsed(db, { ...writers, memories: partly }, log)
    for (const id of ['m0', 'm1', 'm2']) lastUsed.record('memories', id, { userId: 'u', vaultId: 'v' }, 1)
    await lastUsed.flush()
    expect(lines.join()).toContain('last-used times were not written')
    await lastUsed.stop()
    expect(written).toEqual([
      ['memories', { userId: 'u', vaultId: 'v' }, 'm1', { at: 7, count: 2 }],
      ['memories', { userId: 'u', vaultId: 'v' }, 'm2', { at: 1, count: 1 }],
    ])
  })

  it('logs a failure of its own writes, and no caller waits for them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { writers } = recorders()
    const failing = { ...writers, memories: () => Promise.reject(new Error('planted')) }
    const lastUsed = createLastUsed(db, failing, log)
    lastUsed.record('memories', 'm', { userId: 'u', vaultId: 'v' }, 1)
    vi.advanceTimersByTime(60_000)
    await db.write(async () => {})
    await new Promise((resolve) => setImmediate(resolve))
    expect(lines.join()).toContain('last-used times were not written')
    expect(lines.join()).not.toContain('planted')
    await lastUsed.stop()
  })
})

eachDialect('times of last use', (dialect) => {
  it('only increase, and only for the owner', async () => {
    const store = await openTestDatabase(dialect)
    const key = { userId: 'u', integrationId: 'i', lastFour: 'abcd', label: null, vaultId: null, createdAt: 1 }
    await store.write(async (tx) => {
      for (const id of ['a', 'b'])
        await tx
          .insertInto('agentKeys')
          .values({ ...key, id, keyHash: Buffer.from(id), expiresAt: null, revokedAt: null, lastUsedAt: null })
          .execute()
      await tx
        .insertInto('dashboardCredentials')
        .values({
          id: 'c',
          userId: 'u',
          kind: 'token',
          secretHash: asSealed(Buffer.of(1)),
          createdAt: 1,
          lastUsedAt: 1,
          expiresAt: null,
        })
        .execute()
    })
    const use = async (userId: string, at: number) => {
      const used = ['a', 'c'].map((id) => ({ userId, id, at }))
      await markKeysUsed(store, used)
      await markCredentialsUsed(store, used)
    }
    await use('u', 10)
    await use('u', 7)
    await use('other', 99)
    const keys = await store.read.selectFrom('agentKeys').select(['id', 'lastUsedAt']).orderBy('id').execute()
    expect(keys).toEqual([
      { id: 'a', lastUsedAt: 10 },
      { id: 'b', lastUsedAt: null },
    ])
    const credentials = await store.read.selectFrom('dashboardCredentials').select('lastUsedAt').execute()
    expect(credentials).toEqual([{ lastUsedAt: 10 }])
    await store.close()
  })
})
