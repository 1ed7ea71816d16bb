import { describe, expect, inject, it } from 'vitest'
import type { Database } from './dialect.ts'
import { StoreError } from './store-error.ts'
import { openPostgres } from './postgres.ts'

const server = inject('postgres')

describe('openPostgres', () => {
  it('says that the server cannot be reached, without the address', async () => {
    const opened = openPostgres('postgres://somebody:planted-secret@127.0.0.1:1/nothing')
    await expect(opened).rejects.toThrow(StoreError)
    await expect(opened).rejects.toThrow('PostgreSQL cannot be reached (ECONNREFUSED). Check HOLDFAST_DATABASE_URL.')
  })
})

describe.skipIf('missing' in server)('on a server', () => {
  async function withServer(options: string, work: (db: Database) => Promise<void>): Promise<void> {
    if ('missing' in server) throw new Error(server.missing)
    const url = new URL(server.url)
    if (options !== '') url.searchParams.set('options', options)
    const db = await openPostgres(url.href)
    await work(db).finally(() => db.close())
  }

  it('rejects settings that could lose acknowledged writes', async () => {
    await expect(withServer('-c synchronous_commit=off', async () => {})).rejects.toThrow(
      /synchronous_commit=off: a crash could lose/,
    )
  })

  it('reports outages as such, and everything else as an internal error', async () => {
    await withServer('', async (db) => {
      const kindOf = (code: string) => db.explainFailure(Object.assign(new Error('text'), { code }))?.kind
      const outages = ['53100', '53300', '08006', '57P01', '57014', '58030', 'XX001', 'ECONNREFUSED', 'ETIMEDOUT']
      for (const code of outages) expect([code, kindOf(code)]).toEqual([code, 'unavailable'])
      for (const code of ['23505', '42P01', '22021', 'ERR_ASSERTION'])
        expect([code, kindOf(code)]).toEqual([code, undefined])
      expect(db.explainFailure(new Error('Connection terminated unexpectedly'))?.kind).toBe('unavailable')
      expect(db.explainFailure(new Error('timeout exceeded when trying to connect'))?.kind).toBe('unavailable')
      expect(db.explainFailure(new Error('Client was closed and is not queryable'))?.kind).toBe('unavailable')
      expect(db.explainFailure(new Error('terminated'))).toBeUndefined()
      expect(db.explainFailure('08006')).toBeUndefined()
    })
  })
})
