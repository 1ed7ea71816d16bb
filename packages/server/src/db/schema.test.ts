import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { eachDialect } from '../../test/dialects.ts'

/** Columns of each table as `name`, or `name?` if nullable. */
type Columns = Record<string, string[]>

/** From the interfaces in `tables/`. Types don't exist at run time, so this reads their source. */
function readTypes(): Columns {
  const text = globSync('tables/*.ts', { cwd: import.meta.dirname })
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n')
  const tables = text.matchAll(/^export interface (\w)(\w+)Table( extends Slots)? \{\n([^]*?)^\}/gm)
  return Object.fromEntries(
    Array.from(tables, ([, first = '', rest = '', hasSlots, fields = '']) => [
      first.toLowerCase() + rest,
      [...fieldsIn(fields), ...(hasSlots ? Array.from({ length: 32 }, (_, at) => `s${`${at}`.padStart(2, '0')}`) : [])],
    ]),
  )
}

const fieldsIn = (text: string) =>
  Array.from(
    text.matchAll(/^  (\w+): (.*)$/gm),
    ([, name = '', type = '']) => name + (type.endsWith('| null') ? '?' : ''),
  )

const sorted = (tables: Columns) =>
  Object.fromEntries(Object.entries(tables).map(([name, columns]) => [name, columns.toSorted()]))

eachDialect('the schema', (dialect) => {
  it('has the tables and columns that the types declare', async () => {
    const db = await openTestDatabase(dialect)
    const tables = await db.read.introspection.getTables()
    await db.close()
    const found = tables
      .filter(({ name }) => name !== 'migrations' && !name.startsWith('sqlite_'))
      .map(({ name, columns }) => [name, columns.map((column) => column.name + (column.isNullable ? '?' : ''))])
    expect(sorted(Object.fromEntries(found) as Columns)).toEqual(sorted(readTypes()))
  })
})
