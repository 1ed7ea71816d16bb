import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStore, openTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'
import { openText, sealText } from '../crypto/cell.ts'
import type { Database } from '../db/dialect.ts'
import { StoreError } from '../db/store-error.ts'
import { migrate } from '../db/migrate.ts'
import { openInstance, refuseLostDatabase, refuseMissingInstance } from './instance.ts'
import { parseRootKeys, rootKeyFile } from './root-key-source.ts'

let dir = ''
let keyDir = ''
const open: Database[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-instance-'))
  keyDir = mkdtempSync(join(tmpdir(), 'holdfast-keys-'))
})
afterEach(async () => {
  for (const db of open.splice(0)) await db.close()
  for (const folder of [dir, keyDir]) rmSync(folder, { recursive: true, force: true })
})

const keyFile = () => ({ given: undefined, command: undefined, dir: keyDir })
const keyText = (bytes: Uint8Array) => ({
  ...keyFile(),
  given: parseRootKeys(Buffer.from(bytes).toString('base64'), 'test'),
})
const folderNumber = () => String(statSync(dir, { bigint: true }).ino)
const sidecar = () => JSON.parse(readFileSync(join(dir, 'instance.json'), 'utf8')) as { instanceId: string }
const expectRefusal = async (opening: Promise<unknown>, words: RegExp) => {
  await expect(opening).rejects.toThrow(StoreError)
  await expect(opening).rejects.toThrow(words)
}

eachDialect('refuseMissingInstance', (dialect) => {
  it('throws before the migrations, and after them until an instance is created; it changes nothing', async () => {
    const db = await openStore(await dialect.freshUrl())
    open.push(db)
    const refusal = expect.objectContaining({ kind: 'missing', name: 'StoreError' }) as unknown
    await expect(refuseMissingInstance(db)).rejects.toEqual(refusal)
    expect(await db.read.introspection.getTables()).toEqual([])
    await migrate(db)
    await expect(refuseMissingInstance(db)).rejects.toEqual(refusal)
    await openInstance(db, dir, keyFile())
    await refuseMissingInstance(db)
  })
})

eachDialect('openInstance', (dialect) => {
  const openEmpty = async () => {
    const db = await openTestDatabase(dialect)
    open.push(db)
    return db
  }

  it('creates an instance in an empty database and finds it again with the same keys', async () => {
    const db = await openEmpty()
    const made = await openInstance(db, dir, keyFile())
    expect(sidecar()).toEqual({ instanceId: made.id, folder: folderNumber() })
    expect(made.rootKeyOrigin).toBe(rootKeyFile(keyFile(), made.id))
    const address = { userId: made.id, scopeId: made.id, table: 't', rowId: made.id, column: 'c', revision: 1 }
    const cell = sealText(made.keys, 'content', address, 'hello')
    const found = await openInstance(db, dir, keyFile())
    expect(found.id).toBe(made.id)
    expect(openText(found.keys, 'content', address, cell)).toBe('hello')
  })

  it('keeps the root key out of the data folder and out of the database', async () => {
    const db = await openEmpty()
    const { id } = await openInstance(db, dir, keyFile())
    const file = rootKeyFile(keyFile(), id)
    expect(file.startsWith(dir)).toBe(false)
    const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
    const row = await db.read.selectFrom('instance').selectAll().executeTakeFirstOrThrow()
    for (const bytes of [row.wrappedInstanceKey, row.rootKeyCheck]) expect(Buffer.from(bytes).includes(key)).toBe(false)
  })

  it('creates only one instance, however many start at once on the empty database', async () => {
    if (dialect.name === 'sqlite') return // One process owns the folder.
    const db = await openEmpty()
    const opened = await Promise.all([1, 2, 3].map(() => openInstance(db, dir, keyText(Buffer.alloc(32, 7)))))
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1)
    expect(await db.read.selectFrom('instance').selectAll().execute()).toHaveLength(1)
  })

  it('names the missing key file and says how to restore it, and changes nothing', async () => {
    const db = await openEmpty()
    const { id } = await openInstance(db, dir, keyFile())
    const file = rootKeyFile(keyFile(), id)
    const key = readFileSync(file)
    rmSync(file)
    const before = await db.read.selectFrom('instance').selectAll().execute()
    await expectRefusal(openInstance(db, dir, keyFile()), /root key of this data folder is missing.*Put the file back/s)
    expect(existsSync(file)).toBe(false)
    expect(await db.read.selectFrom('instance').selectAll().execute()).toEqual(before)
    writeFileSync(file, key)
    expect((await openInstance(db, dir, keyFile())).id).toBe(id)
  })

  it('rejects a wrong root key with a clear message', async () => {
    const db = await openEmpty()
    await openInstance(db, dir, keyText(randomBytes(32)))
    const opening = openInstance(db, dir, keyText(randomBytes(32)))
    await expect(opening).rejects.toThrow(StoreError)
    await expect(opening).rejects.toThrow(
      /^The root key from HOLDFAST_ROOT_KEY is not the one that encrypts this database .*Provide the right key/s,
    )
  })

  it('finds the right one among several root keys', async () => {
    const db = await openEmpty()
    const right = randomBytes(32)
    const { id } = await openInstance(db, dir, keyText(right))
    const text = [randomBytes(32), right].map((key) => key.toString('hex')).join(',')
    const given = parseRootKeys(text, 'test')
    expect((await openInstance(db, dir, { ...keyFile(), given })).id).toBe(id)
  })

  it('rejects the database of another instance', async () => {
    const [mine, other] = [await openEmpty(), await openEmpty()]
    const otherDir = mkdtempSync(join(tmpdir(), 'holdfast-instance-'))
    const { id } = await openInstance(mine, dir, keyFile())
    const { id: otherId } = await openInstance(other, otherDir, keyFile())
    await expectRefusal(openInstance(other, dir, keyFile()), new RegExp(`belongs to instance ${otherId}.*to ${id}`))
    expect(sidecar()).toEqual({ instanceId: id, folder: folderNumber() })
    rmSync(otherDir, { recursive: true })
  })

  it('rejects a database that was emptied, and creates no new instance in it', async () => {
    const { id } = await openInstance(await openEmpty(), dir, keyFile())
    const emptied = await openEmpty()
    await expectRefusal(openInstance(emptied, dir, keyFile()), new RegExp(`belongs to instance ${id}.*empty`))
    expect(await emptied.read.selectFrom('instance').selectAll().execute()).toEqual([])
    expect(sidecar()).toEqual({ instanceId: id, folder: folderNumber() })
  })

  it('writes a lost instance file again', async () => {
    const db = await openEmpty()
    const { id } = await openInstance(db, dir, keyFile())
    rmSync(join(dir, 'instance.json'))
    await openInstance(db, dir, keyFile())
    expect(sidecar()).toEqual({ instanceId: id, folder: folderNumber() })
  })

  it('rejects an instance key that was replaced', async () => {
    const [db, other] = [await openEmpty(), await openEmpty()]
    const otherDir = mkdtempSync(join(tmpdir(), 'holdfast-instance-'))
    const source = keyText(randomBytes(32))
    await openInstance(db, dir, source)
    await openInstance(other, otherDir, source)
    const foreign = await other.read.selectFrom('instance').selectAll().executeTakeFirstOrThrow()
    const { wrappedInstanceKey } = foreign
    await db.write((tx) => tx.updateTable('instance').set({ wrappedInstanceKey }).execute())
    await expect(openInstance(db, dir, source)).rejects.toThrow(/wrapped key/)
    rmSync(otherDir, { recursive: true })
  })
})

eachDialect('the first start', (dialect) => {
  it('can be repeated after it was interrupted before the database contained the instance', async () => {
    const db = await openStore(await dialect.freshUrl())
    open.push(db)
    await migrate(db)
    const first = await openInstance(db, dir, keyFile())
    rmSync(join(dir, 'instance.json'))
    await db.write((tx) => tx.deleteFrom('instance').execute())
    const second = await openInstance(db, dir, keyFile())
    expect(second.id).not.toBe(first.id)
  })
})

it('rejects a data folder without its database, before creating a new one', () => {
  refuseLostDatabase(dir, false)
  writeFileSync(join(dir, 'instance.json'), '{"instanceId":"0198c5f0-0000-7000-8000-000000000001"}')
  refuseLostDatabase(dir, true)
  expect(() => refuseLostDatabase(dir, false)).toThrow(StoreError)
  expect(() => refuseLostDatabase(dir, false)).toThrow(/0198c5f0.*missing or empty.*Nothing was changed.*backup/s)
})

it('says that the instance file cannot be parsed', () => {
  for (const text of ['', '{"instanceId":', '[]', '{"instanceId":7}', 'null']) {
    writeFileSync(join(dir, 'instance.json'), text)
    expect(() => refuseLostDatabase(dir, true)).toThrow(StoreError)
    expect(() => refuseLostDatabase(dir, true)).toThrow(/instance\.json.*is damaged/)
  }
})
