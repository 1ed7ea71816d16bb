import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseError, Pool } from 'pg'
import { afterAll, describe, inject } from 'vitest'
import type { TestPostgres } from './postgres.ts'

/** An empty data folder, or an empty database. */
export type FreshStore = { kind: 'sqlite'; dir: string } | { kind: 'postgres'; url: string }

/** A database that new ones are copied from. `prepare` must close what it opens. It runs once for all tests that name it. */
export interface Template {
  name: string
  prepare(store: FreshStore): Promise<void>
}

export interface TestDialect {
  name: FreshStore['kind']
  /** A new database that no other caller gets, empty or a copy of the template. Removed after the block. */
  freshUrl(template?: Template): Promise<FreshStore>
}

/** Registers the block once per dialect. It is skipped on PostgreSQL if the run has none, which the summary reports. */
export function eachDialect(name: string, define: (dialect: TestDialect) => void): void {
  describe(`${name} (SQLite)`, () => {
    define(sqliteDialect())
  })
  onPostgres(name, define)
}

/** For problems that only a database server can cause, or several processes with one. */
export function onPostgres(name: string, define: (dialect: TestDialect) => void): void {
  const server = inject('postgres')
  describe.skipIf('missing' in server)(`${name} (PostgreSQL)`, () => {
    // Skipped blocks are still registered, so their tests are counted.
    define('missing' in server ? absentDialect : postgresDialect(server))
  })
}

const absentDialect: TestDialect = {
  name: 'postgres',
  freshUrl: () => Promise.reject(new Error('there is no PostgreSQL in this run')),
}

function sqliteDialect(): TestDialect {
  const dirs: string[] = []
  afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))))
  return {
    name: 'sqlite',
    async freshUrl(template) {
      const dir = await makeSqliteFolder()
      dirs.push(dir)
      if (template !== undefined) await fillSqliteFolder(dir, template)
      return { kind: 'sqlite', dir }
    },
  }
}

const makeSqliteFolder = () => mkdtemp(join(tmpdir(), 'holdfast-sqlite-'))

/** The files of each template, which all test files of a worker share. */
const sqliteTemplates = new Map<string, Promise<[name: string, content: Buffer][]>>()

/** Puts a copy of the template into an empty data folder. */
export async function fillSqliteFolder(dir: string, template: Template): Promise<void> {
  const files = await once(sqliteTemplates, template, prepareSqlite)
  await Promise.all(files.map(([name, content]) => writeFile(join(dir, name), content, { mode: 0o600 })))
}

async function prepareSqlite(template: Template): Promise<[name: string, content: Buffer][]> {
  const dir = await makeSqliteFolder()
  await template.prepare({ kind: 'sqlite', dir })
  const names = await readdir(dir)
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(dir, name))] as [string, Buffer]),
  )
  await rm(dir, { recursive: true })
  return files
}

function postgresDialect(server: Exclude<TestPostgres, { missing: string }>): TestDialect {
  // Several connections: databases dropped at the same time share a checkpoint.
  const admin = new Pool({ connectionString: server.url, max: 8 })
  const databases: string[] = []
  const templates = new Map<string, Promise<string>>()
  // Copied files come with two checkpoints: a third of the work without waiting for a disk, and ten times as long with it.
  const strategy = server.isInMemory ? 'file_copy' : 'wal_log'
  const create = async (from: string) => {
    const name = server.prefix + randomBytes(6).toString('hex')
    await admin.query(`create database "${name}" template "${from}" strategy ${strategy}`)
    databases.push(name)
    return { name, url: withDatabase(server.url, name) }
  }
  // Created under another name, so no test file sees it half done. The first one to finish wins.
  const prepare = async (template: Template) => {
    const name = `${server.prefix}template_${template.name}`
    if (await exists(admin, name)) return name
    const draft = await create('template1')
    await template.prepare({ kind: 'postgres', url: draft.url })
    await admin.query(`alter database "${draft.name}" rename to "${name}"`).catch(ignoreDuplicate)
    return name
  }
  afterAll(async () => {
    await Promise.all(databases.map((name) => admin.query(`drop database if exists "${name}" with (force)`)))
    await admin.end()
  })
  return {
    name: 'postgres',
    async freshUrl(template) {
      const from = template === undefined ? 'template1' : await once(templates, template, prepare)
      return { kind: 'postgres', url: (await create(from)).url }
    },
  }
}

function once<T>(
  made: Map<string, Promise<T>>,
  template: Template,
  make: (template: Template) => Promise<T>,
): Promise<T> {
  const known = made.get(template.name) ?? make(template)
  made.set(template.name, known)
  return known
}

async function exists(admin: Pool, name: string): Promise<boolean> {
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
  return rowCount === 1
}

/** What PostgreSQL says about a name that is taken: found before the change, or by the index when two are renamed at the same time. */
const duplicateDatabase = ['42P04', '23505']

function ignoreDuplicate(error: unknown): void {
  if (!(error instanceof DatabaseError && duplicateDatabase.includes(error.code ?? ''))) throw error
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
