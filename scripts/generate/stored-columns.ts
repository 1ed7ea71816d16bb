import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printTable } from './markdown-table.ts'
import { inEveryTable, inTable } from './plain-columns.ts'

/** Prints docs/stored-columns.md: what is stored in each column of each table, and why some are not encrypted. */

export interface Column {
  name: string
  /** As in the interfaces of `db/tables`. */
  type: string
}

/** In the order of the files. Types don't exist at run time, so this reads their source. */
export function readTables(root: string): Map<string, Column[]> {
  const folder = join(root, 'packages/server/src/db/tables')
  const text = globSync('*.ts', { cwd: folder })
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const found = text.matchAll(/^export interface (\w)(\w+)Table( extends Slots)? \{\n([^]*?)^\}/gm)
  return new Map(
    Array.from(found, ([, first = '', rest = '', slots, fields = '']) => [
      first.toLowerCase() + rest,
      [
        ...Array.from(fields.matchAll(/^  (\w+): (.*)$/gm), ([, name = '', type = '']) => ({ name, type })),
        ...(slots === undefined ? [] : [{ name: 's00', type: 'number' }]),
      ],
    ]),
  )
}

const bytes = [
  [/^(\w+T|t)ag$/, 'keyed tag'],
  [/^replacedInRun$/, 'keyed tag'],
  [/^\w+Hash$/, 'SHA-256 hash'],
  [/^(wrapped|nextWrapped)\w+$/, 'wrapped key'],
  [/^rootKeyCheck$/, 'check value'],
] as const

/** How a column is stored. Throws for one that nobody has thought about. */
export function describeColumn(table: string, { name, type }: Column): { kind: string; why?: string } {
  if (/\bSealed\b/.test(type)) return { kind: 'encrypted' }
  const ofBytes = bytes.find(([pattern]) => pattern.test(name))
  if (type.startsWith('Uint8Array') && ofBytes !== undefined) return { kind: ofBytes[1] }
  const why = inTable[table]?.[name] ?? inEveryTable[name]
  if (type.startsWith('Uint8Array') || why === undefined)
    throw new Error(
      `${table}.${name} is neither encrypted nor a tag, a hash or a wrapped key. Encrypt it, or say in scripts/generate/plain-columns.ts why it is plain.`,
    )
  return { kind: 'plain', why }
}

/** Reasons for columns that don't exist. */
export const findUnusedReasons = (tables: ReadonlyMap<string, readonly Column[]>): string[] =>
  Object.entries(inTable).flatMap(([table, reasons]) => {
    const names = new Set(tables.get(table)?.map(({ name }) => name))
    if (!tables.has(table)) return [table]
    return Object.keys(reasons).flatMap((name) => (names.has(name) ? [] : [`${table}.${name}`]))
  })

export function printStoredColumns(tables: ReadonlyMap<string, readonly Column[]>): string {
  const unused = findUnusedReasons(tables)
  if (unused.length > 0) throw new Error(`scripts/generate/plain-columns.ts describes no column: ${unused.join(', ')}`)
  const common = Object.entries(inEveryTable).map(([name, why]) => [`\`${name}\``, why])
  return `<!-- Written by \`npm run generate\`; do not edit. -->

# Stored columns

How each column of the database is stored. Someone who has the database, a backup or the disk, but not the root key, sees the plain columns of this
page, the number of rows and the size of each encrypted value. [encryption.md](encryption.md#what-a-stolen-database-reveals) says what that
means, and what tags, hashes and wrapped keys are. Joining the plain columns shows which agent touched which record, and when, for as long
as the rows are kept.

These columns mean the same in each table:

${printTable(['Column', 'Why it is plain'], common)}

${[...tables].map(([table, columns]) => printOne(table, columns)).join('\n\n')}
`
}

function printOne(table: string, columns: readonly Column[]): string {
  const described = columns.map((column) => ({ name: `\`${column.name}\``, ...describeColumn(table, column) }))
  const kinds = ['encrypted', 'keyed tag', 'SHA-256 hash', 'wrapped key', 'check value']
  const stored = kinds.flatMap((kind) => {
    const names = described.filter((column) => column.kind === kind).map(({ name }) => name)
    return names.length === 0 ? [] : [`${kind}: ${names.join(', ')}`]
  })
  const plain = described.filter(({ kind }) => kind === 'plain')
  const own = plain.filter(({ name }) => inTable[table]?.[name.slice(1, -1)] !== undefined)
  const shared = plain.filter((column) => !own.includes(column)).map(({ name }) => name)
  const lines = [...stored, ...(shared.length === 0 ? [] : [`plain, as above: ${shared.join(', ')}`])]
  return [
    `## ${table}`,
    ...(lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join('\n')]),
    ...(own.length === 0
      ? []
      : [
          printTable(
            ['Plain column', 'Why'],
            own.map(({ name, why = '' }) => [name, why]),
          ),
        ]),
  ].join('\n\n')
}
