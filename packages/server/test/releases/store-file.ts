// Stores as earlier versions wrote them, and what those versions answered about them. `releases.long.test.ts` opens them with this version.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { migrate, migrations } from '../../src/db/migrate.ts'
import type { Database, Reader } from '../../src/db/dialect.ts'
import type { Audience } from '../../src/operation/operation.ts'
import { openStore } from '../database.ts'
import type { FreshStore } from '../dialects.ts'

export interface StoreFile {
  /** The last migration of the version that wrote it. */
  schema: string
  /** When the answers were given. */
  now: string
  /** Of invented data: it protects nothing. */
  rootKey: string
  agentKey: string
  personToken: string
  answers: StoredAnswer[]
  tables: Record<string, { columns: string[]; rows: StoredValue[][] }>
}

export interface StoredAnswer {
  operation: string
  audience: Audience
  input: Record<string, unknown>
  answer: Record<string, unknown>
}

type StoredValue = string | number | null | { base64: string }

const folder = join(import.meta.dirname, 'stores')

/** The names of all files: each is the last migration of its version. */
export const storeFiles = globSync('*.json', { cwd: folder })
  .map((file) => basename(file, '.json'))
  .toSorted()

export const readStoreFile = (schema: string): StoreFile =>
  JSON.parse(readFileSync(join(folder, `${schema}.json`), 'utf8')) as StoreFile

export function writeStoreFile({ answers, tables, ...head }: StoreFile): void {
  const lines = (items: readonly unknown[], indent: string) =>
    items.map((item) => `${indent}${JSON.stringify(item)}`).join(',\n')
  const fields = Object.entries(head).map(([name, value]) => `  "${name}": ${JSON.stringify(value)},`)
  const filled = Object.entries(tables).map(
    ([name, { columns, rows }]) =>
      `    "${name}": {\n      "columns": ${JSON.stringify(columns)},\n      "rows": [\n${lines(rows, '        ')}\n      ]\n    }`,
  )
  const parts = [
    '{',
    ...fields,
    '  "answers": [',
    lines(answers, '    '),
    '  ],',
    '  "tables": {',
    filled.join(',\n'),
    '  }',
    '}',
  ]
  writeFileSync(join(folder, `${head.schema}.json`), `${parts.join('\n')}\n`)
}

/** All rows of all tables that have any. */
export async function dumpTables(db: Database): Promise<StoreFile['tables']> {
  const tables: StoreFile['tables'] = {}
  for (const { name, columns } of await db.read.introspection.getTables()) {
    const names = columns.map((column) => column.name)
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db.read)
    if (rows.length > 0 && name !== 'migrations')
      tables[name] = { columns: names, rows: rows.map((row) => names.map((column) => toStored(row[column]))) }
  }
  return tables
}

const toStored = (value: unknown): StoredValue =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : (value as StoredValue)

const fromStored = (value: StoredValue): unknown =>
  typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value

/** Makes the store that the version had, in either database. */
export async function loadStore(store: FreshStore, { schema, tables }: StoreFile): Promise<void> {
  const db = await openStore(store)
  await migrate(db, migrations.slice(0, migrations.findIndex(({ name }) => name === schema) + 1))
  await db.write((tx) => insertAll(tx, tables))
  await db.close()
}

async function insertAll(tx: Reader, tables: StoreFile['tables']): Promise<void> {
  for (const [table, { columns, rows }] of Object.entries(tables))
    for (const row of rows) {
      const values = row.map((value) => sql`${fromStored(value)}`)
      const names = columns.map((name) => sql.ref(name))
      await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)})`.execute(tx)
    }
}
