import { sql, type CreateTableBuilder, type SchemaModule } from 'kysely'
import type { ColumnTypes } from '../dialect.ts'

/** A table whose columns are told apart by kind: `text`, `bytes`, `long` and `small`; a `?` behind the name allows null. */
export function table(
  schema: SchemaModule,
  types: ColumnTypes,
  name: string,
  key: [string, ...string[]],
  columns: Record<Kind, string[]>,
) {
  let builder: CreateTableBuilder<string, string> = schema.createTable(name)
  for (const kind of kinds)
    for (const column of columns[kind])
      builder = column.endsWith('?')
        ? builder.addColumn(column.slice(0, -1), typeOf(kind, types))
        : builder.addColumn(column, typeOf(kind, types), (definition) => definition.notNull())
  return builder.addPrimaryKeyConstraint(`${name}_key`, key)
}

const kinds = ['text', 'bytes', 'long', 'small'] as const
type Kind = (typeof kinds)[number]

function typeOf(kind: Kind, types: ColumnTypes) {
  if (kind === 'bytes') return types.bytes === 'blob' ? sql`blob` : sql`bytea`
  if (kind === 'long') return types.long
  return kind === 'small' ? 'integer' : 'text'
}
