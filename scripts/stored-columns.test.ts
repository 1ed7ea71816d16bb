import { expect, it } from 'vitest'
import { root } from './checks.ts'
import { inEveryTable, inTable } from './generate/plain-columns.ts'
import { describeColumn, findUnusedReasons, printStoredColumns, readTables } from './generate/stored-columns.ts'

const tables = readTables(root)

it('each column of the schema is encrypted, a tag, a hash, a wrapped key, or plain with a reason', () => {
  const unknown = [...tables].flatMap(([table, columns]) =>
    columns.flatMap((column) => {
      try {
        describeColumn(table, column)
        return []
      } catch (error) {
        return [(error as Error).message]
      }
    }),
  )
  expect(unknown).toEqual([])
  expect(tables.size).toBeGreaterThan(40)
})

it('each reason is for a column that exists', () => {
  expect(findUnusedReasons(tables)).toEqual([])
  const names = new Set([...tables.values()].flat().map(({ name }) => name))
  expect(Object.keys(inEveryTable).filter((name) => !names.has(name))).toEqual([])
})

it('a new column without a reason, or of unknown bytes, stops the generator', () => {
  for (const column of [
    { name: 'favoriteColor', type: 'string | null' },
    { name: 'thumbnail', type: 'Uint8Array' },
  ])
    expect(() => printStoredColumns(new Map([...tables, ['memories', [column]]]))).toThrow(
      new RegExp(`memories\\.${column.name} is neither encrypted|describes no column`),
    )
  expect(() => describeColumn('memories', { name: 'favoriteColor', type: 'string' })).toThrow(
    /^memories\.favoriteColor/,
  )
  expect(describeColumn('memories', { name: 'body', type: 'Sealed' })).toEqual({ kind: 'encrypted' })
  expect(describeColumn('memories', { name: 'type', type: 'string' })).toEqual({
    kind: 'plain',
    why: inTable['memories']?.['type'],
  })
})
