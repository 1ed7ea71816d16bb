import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { eachDialect, onPostgres, type FreshStore, type Template } from './dialects.ts'

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

async function mark(store: FreshStore): Promise<void> {
  if (store.kind === 'sqlite') writeFileSync(join(store.dir, 'mark'), 'made')
  else await query(store.url, 'create table mark ()')
}

const isMarked = async (store: FreshStore) =>
  store.kind === 'sqlite'
    ? existsSync(join(store.dir, 'mark'))
    : (await query(store.url, `select to_regclass('mark') is not null as marked`))[0]?.['marked'] === true

const isGone = async (store: FreshStore) =>
  store.kind === 'sqlite'
    ? !existsSync(store.dir)
    : query(store.url, 'select 1').then(
        () => false,
        (error: Error) => error.message.endsWith('does not exist'),
      )

function urlOfServer(): string {
  const server = inject('postgres')
  if ('missing' in server) throw new Error(server.missing)
  return server.url
}

const seen: FreshStore[] = []

eachDialect('a new database', (dialect) => {
  it('is empty, and a different one each time', async () => {
    const first = await dialect.freshUrl()
    await mark(first)
    const second = await dialect.freshUrl()
    seen.push(first, second)
    expect(first.kind).toBe(dialect.name)
    expect(await isMarked(first)).toBe(true)
    expect(await isMarked(second)).toBe(false)
  })

  it('is a copy of the template, which is prepared once', async () => {
    let prepared = 0
    const template: Template = {
      name: 'marked',
      async prepare(store) {
        prepared += 1
        await mark(store)
      },
    }
    const stores = await Promise.all([1, 2, 3].map(() => dialect.freshUrl(template)))
    expect(await Promise.all(stores.map(isMarked))).toEqual([true, true, true])
    expect(prepared).toBe(1)
  })
})

describe.skipIf('missing' in inject('postgres'))('the PostgreSQL of the run', () => {
  it('keeps what it acknowledges, and does not sort text by its bytes', async () => {
    const [row] = await query(urlOfServer(), `select current_setting('fsync') as fsync, 'a' < 'B' as words`)
    expect(row).toEqual({ fsync: 'on', words: true })
  })
})

describe('after a block', () => {
  it('nothing of its databases is left', async () => {
    expect(seen.length).toBeGreaterThanOrEqual(2)
    expect(await Promise.all(seen.map(isGone))).toEqual(seen.map(() => true))
  })
})

onPostgres('a template that two workers prepare', (one) => {
  onPostgres('at the same time', (other) => {
    it('is taken from the one that is ready first', async () => {
      for (let round = 0; round < 5; round++) {
        const ready = Promise.withResolvers<void>()
        let waiting = 0
        // Both have a draft before either renames its own.
        const template: Template = {
          name: `contested ${round}`,
          prepare() {
            if (++waiting === 2) ready.resolve()
            return ready.promise
          },
        }
        const stores = await Promise.all([one.freshUrl(template), other.freshUrl(template)])
        expect(new Set(stores.map((store) => store.kind === 'postgres' && store.url)).size).toBe(2)
      }
    })
  })
})
